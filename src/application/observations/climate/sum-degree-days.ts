import { monthsOf, yearsOf } from '#domain/weather/climate/calendar-rows.js';
import { dailyDegreeDays, DEGREE_DAYS } from '#domain/weather/climate/degree-days.js';
import { monthsAndYears, observedRows } from '#domain/weather/climate/month-figures.js';
import type { DayMean, DegreeDayBases } from '#domain/weather/summaries/of-days.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { type ClimateTable, climateTable } from './climate-table.js';
import type { ClimateInput, ReadClimateDays } from './read-climate-days.js';

export interface DegreeDaysInput extends ClimateInput {
  readonly bases: DegreeDayBases;
  readonly mean: DayMean;
}

/** Sums up the degree days of each month and each year of a station. */
export class SumDegreeDays {
  readonly #days: ReadClimateDays;

  constructor(days: ReadClimateDays) {
    this.#days = days;
  }

  /** @throws DomainError as `ReadClimateDays` */
  async execute(
    described: StationSnapshot,
    input: DegreeDaysInput,
    permit: Permit = UNLIMITED,
  ): Promise<ClimateTable> {
    const { mean, bases } = input;
    const { station } = described;
    const elements = DEGREE_DAYS.map((element) => ({ ...element, quantity: mean }));
    const found = await this.#days.find(described, input, [mean], permit);
    if (found === undefined) return climateTable(station, input, found, elements, { months: [], years: [] });
    const { days, today } = found;
    const terms = { rule: 'wmo_1203', today } as const;
    const daily = dailyDegreeDays(days, mean, bases);
    const { months, years } = monthsAndYears(days.dates, yearsOf(monthsOf(days.dates)), daily, terms);
    const sections = { months: observedRows(days, months), years: observedRows(days, years) };
    return climateTable(station, input, found, elements, sections);
  }
}
