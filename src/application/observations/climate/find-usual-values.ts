import {
  DATES_OF_YEAR,
  COMPARED_QUANTITIES,
  usualHours,
  type UsualValues,
  usualValues,
  type UsualVariable,
  windowsIn,
} from '#domain/weather/climate/usual.js';
import { DomainError } from '#domain/domain-error.js';
import { ORIGIN } from '#domain/weather/climate/provenance.js';
import { dateText, type DayQuantity, QUANTITIES_OF_DAY } from '#domain/weather/climate/climate-days.js';
import type { MeasuredElement } from '#domain/weather/climate/elements.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { ResultsByVersion } from '../read/results-by-version.js';
import type { Summarize } from '../read/summarize.js';
import { type ClimateTable, climateTable } from './climate-table.js';
import type { ClimateInput, ReadClimateDays } from './read-climate-days.js';
import { summaryValue } from './summary-values.js';

export interface UsualInput extends ClimateInput {
  /** The requested variables; undefined means all variables that the station has observed. */
  readonly variables?: readonly UsualVariable[] | undefined;
  /** First and last date in the form `MM-DD`, both included. If `to` is before `from`, the dates go on in the next year. */
  readonly from: string;
  readonly to: string;
}

/** A variable with the daily quantity that is compared. */
interface UsualElement extends MeasuredElement {
  readonly name: UsualVariable;
  readonly quantity: DayQuantity;
}

export interface UsualTable extends Omit<ClimateTable, 'sections' | 'elements'> {
  readonly elements: readonly UsualElement[];
  /** Dates in the form `MM-DD`, in the order of the request. */
  readonly dates: readonly string[];
  /** The usual values of each date, by variable. */
  readonly usual: ReadonlyMap<UsualVariable, readonly UsualValues[]>;
  /** For variables with values of both sources: the number of published values of each date. */
  readonly dailyCounts: ReadonlyMap<UsualVariable, readonly number[]>;
}

/** The usual values of the hours of dates. Only the temperature has them. */
export interface UsualHoursTable extends Omit<UsualTable, 'usual' | 'dailyCounts'> {
  /** For each date the usual values of the 24 hours; empty if the station has never observed a temperature. */
  readonly hours: readonly (readonly UsualValues[])[];
}

/** Maximum number of dates of a request for hours. */
export const MAX_DATES_OF_HOURS = 14;
/** Maximum number of tables of hours that are kept. A table takes 40 kB at most. */
const MAX_KEPT = 200;

/** Finds the usual values of dates at a station: percentiles of the daily values of all its years. */
export class FindUsualValues {
  readonly #days: ReadClimateDays;
  readonly #summarize: Summarize;
  readonly #keptHours = new ResultsByVersion<UsualHoursTable>(MAX_KEPT);

  constructor(days: ReadClimateDays, summarize: Summarize) {
    this.#days = days;
    this.#summarize = summarize;
  }

  /** @throws DomainError as `ReadClimateDays` */
  async execute(
    described: StationSnapshot,
    input: UsualInput,
    permit: Permit = UNLIMITED,
  ): Promise<UsualTable> {
    const names = input.variables ?? (Object.keys(COMPARED_QUANTITIES) as UsualVariable[]);
    const elements = names.map((name): UsualElement => ({
      name,
      variable: name,
      quantity: COMPARED_QUANTITIES[name],
    }));
    const quantities = elements.map(({ quantity }) => quantity);
    const found = await this.#days.find(described, input, quantities, permit);
    const table = climateTable(described.station, input, found, elements, {});
    const dates = datesBetween(input.from, input.to);
    const usual = new Map<UsualVariable, readonly UsualValues[]>();
    const dailyCounts = new Map<UsualVariable, readonly number[]>();
    for (const { name, quantity } of table.elements) {
      const { days } = found as NonNullable<typeof found>;
      const values = days.known(quantity);
      usual.set(name, usualValues(days.dates, values, dates));
      const { origins } = days.provenance(quantity);
      if (origins === undefined) continue;
      const published = values.map((value, row) => (origins[row] === ORIGIN.daily ? value : Number.NaN));
      dailyCounts.set(
        name,
        usualValues(days.dates, published, dates).map(({ count }) => count),
      );
    }
    return { ...table, dates, usual, dailyCounts };
  }

  /**
   * Finds the usual temperatures of the hours of dates: percentiles of the means of the same hour by the clock. Each page of a
   * station shows them, so a table is kept until the data of the station change.
   *
   * @throws DomainError REQUEST_INVALID for more than `MAX_DATES_OF_HOURS` dates, another variable than the temperature, or a
   *   parameter that has no meaning for hours; otherwise as `ReadClimateDays`
   */
  async hours(
    described: StationSnapshot,
    { variables = ['air_temperature'], from, to, ...input }: UsualInput,
    permit: Permit = UNLIMITED,
  ): Promise<UsualHoursTable> {
    const dates = datesBetween(from, to);
    assertHours(variables, dates, input);
    const key = JSON.stringify([described.station.number, from, to, input.timeZone, input.years]);
    return await this.#keptHours.findOrCompute(key, described.version, () =>
      this.#computeHours(described, dates, input, permit),
    );
  }

  async #computeHours(
    described: StationSnapshot,
    dates: readonly string[],
    input: ClimateInput,
    permit: Permit,
  ): Promise<UsualHoursTable> {
    const elements = [{ name: 'air_temperature', variable: 'air_temperature', quantity: 'mean' } as const];
    const days = { ...input, source: 'observations' } as const;
    const found = await this.#days.find(described, days, ['mean'], permit);
    const table = climateTable(described.station, input, found, elements, {});
    const means: (readonly [start: string, mean: number])[] = [];
    if (found !== undefined && table.elements.length > 0)
      for (let year = found.years.from; year <= found.years.to; year += 1)
        for (const [first, last] of windowsIn(year, dates))
          // oxlint-disable-next-line no-await-in-loop -- only the sums of one part are in memory at a time
          means.push(...(await this.#meansOf(described, first, last, input, permit)));
    permit.charge(means.length * CELLS_OF_MEAN);
    return { ...table, dates, hours: table.elements.length === 0 ? [] : usualHours(means, dates) };
  }

  /** The means of the complete hours of days, with the local time of their start. */
  async #meansOf(
    described: StationSnapshot,
    first: number,
    last: number,
    { timeZone = 'station' }: ClimateInput,
    permit: Permit,
  ): Promise<(readonly [start: string, mean: number])[]> {
    const { rows, variables, format } = await this.#summarize.execute(
      described,
      {
        interval: 'hour',
        timeZone,
        dayStart: 0,
        from: dateText(first),
        to: dateText(last + 1),
        variables: ['air_temperature'],
        quality: 'pass',
      },
      permit,
    );
    return Array.from(rows, (row) => {
      const { value, complete } = summaryValue(row, variables, QUANTITIES_OF_DAY.mean);
      return [format(row.start), complete ? value : Number.NaN] as const;
    }).filter(([, mean]) => !Number.isNaN(mean));
  }
}

/** Memory of a mean with the text of its time, in cells of 8 bytes. */
const CELLS_OF_MEAN = 12;

function assertHours(
  variables: readonly UsualVariable[],
  dates: readonly string[],
  { dayStart, source }: ClimateInput,
): void {
  const refuse = (reason: string) => {
    throw new DomainError('REQUEST_INVALID', `With by=hour, ${reason}.`);
  };
  if (variables.some((name) => name !== 'air_temperature')) refuse('the only variable is air_temperature');
  if (dates.length > MAX_DATES_OF_HOURS)
    refuse(`a request has at most ${MAX_DATES_OF_HOURS} dates, and not ${dates.length}`);
  if (dayStart !== 0) refuse('days begin at midnight: leave out day_start');
  if (source !== undefined && source !== 'observations') refuse('the source is always observations');
}

/** The dates of a leap year from one date to another, both included. */
function datesBetween(from: string, to: string): readonly string[] {
  const [first, last] = [DATES_OF_YEAR.indexOf(from), DATES_OF_YEAR.indexOf(to)];
  if (first <= last) return DATES_OF_YEAR.slice(first, last + 1);
  return [...DATES_OF_YEAR.slice(first), ...DATES_OF_YEAR.slice(0, last + 1)];
}
