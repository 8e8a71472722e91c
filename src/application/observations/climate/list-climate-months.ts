import { monthsOf, yearsOf } from '#domain/weather/climate/calendar-rows.js';
import { dailyElements, type Element, ELEMENTS } from '#domain/weather/climate/elements.js';
import { type MonthsAndYears, monthsAndYears, observedRows } from '#domain/weather/climate/month-figures.js';
import type { MonthRule } from '#domain/weather/summaries/completeness.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { climateTable, type ElementTable } from './climate-table.js';
import type { ClimateInput, FoundDays, ReadClimateDays } from './read-climate-days.js';

export interface MonthsInput extends ClimateInput {
  readonly rule: MonthRule;
}

/** Lists the climate of each month and each year of a station. */
export class ListClimateMonths {
  readonly #days: ReadClimateDays;

  constructor(days: ReadClimateDays) {
    this.#days = days;
  }

  /** @throws DomainError as `ReadClimateDays` */
  async execute(
    described: StationSnapshot,
    input: MonthsInput,
    permit: Permit = UNLIMITED,
  ): Promise<ElementTable> {
    const quantities = ELEMENTS.map(({ quantity }) => quantity);
    const found = await this.#days.find(described, input, quantities, permit);
    const { months, years } = climateMonths(found, ELEMENTS, input.rule);
    const sections = {
      months: observedRows(found?.days, months),
      years: observedRows(found?.days, years),
    };
    return climateTable(described.station, input, found, ELEMENTS, sections);
  }
}

/** Aggregates days to months and years. Both lists are empty if `found` is undefined. */
export function climateMonths(
  found: FoundDays | undefined,
  elements: readonly Element[],
  rule: MonthRule,
): MonthsAndYears {
  if (found === undefined) return { months: [], years: [] };
  const { days, today } = found;
  return monthsAndYears(days.dates, yearsOf(monthsOf(days.dates)), dailyElements(days, elements), {
    rule,
    today,
  });
}
