import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { yearLabel } from '#domain/weather/climate/calendar-rows.js';
import {
  ClimateDays,
  type ClimateQuantity,
  dateText,
  type DayQuantity,
  type Source,
  sourcesOf,
  withAmounts,
  withPublished,
} from '#domain/weather/climate/climate-days.js';
import { amountsOf, defaultSource, NOON, readFrom, sourceOf } from '#domain/weather/climate/day-sources.js';
import type { DaySource } from '#domain/weather/climate/provenance.js';
import { type AmountOfDays, AmountsOfDays } from '#domain/weather/climate/several-days.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { observationTimesIn } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { damagedData } from '#domain/weather/damaged-data.js';
import type { YearSpan } from '#domain/weather/climate/normals.js';
import { dateOf } from '../../date-of.js';
import type { Calendar } from '../../ports/calendar.js';
import type { SumFromAggregates } from '../read/sum-from-aggregates.js';
import type { StationSnapshot } from '../read/describe-station.js';
import type { Inventory } from '../../ports/observation-store.js';
import { extentOf } from '../read/observation-query.js';
import { zoneOf } from '../../asked-zone.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { CELLS_OF_BUCKET, type Summarize, type SummaryPage } from '../read/summarize.js';
import { withRemoved } from '../read/summary-parts.js';
import { NO_VALUE, SummaryColumn, summaryValue } from './summary-values.js';

/** Maximum number of years in a reply. */
export const MAX_YEARS = 200;
/** Number of years that are read at a time, so that other reads can continue in between. */
const YEARS_AT_ONCE = 10;
/**
 * Memory of one daily value (value, time and completeness) while a table is built, in cells. A cell is 8 bytes; the read gate
 * limits the number of cells of all reads.
 */
const CELLS_OF_DAY = 3;
const DAYS_OF_YEAR = 366;

/** The parameters that all requests for the climate of a station share. */
export interface ClimateInput {
  /** The requested years; undefined means all years with observations. */
  readonly years?: YearSpan | undefined;
  /**
   * Without `years`: years that must be among those that are read. If the station has more years than a reply may have, the last
   * `MAX_YEARS` years that contain them are read. Undefined means that a station with more years is refused.
   */
  readonly around?: YearSpan | undefined;
  /** Minutes after midnight at which days begin. */
  readonly dayStart: number;
  /** Time zone of the days: an IANA name, an offset, or `station` (the default) for the zone of the station. */
  readonly timeZone?: string | undefined;
  /** Source of the daily values. Undefined means published daily values if the station has nothing else, otherwise observations. */
  readonly source?: DaySource | undefined;
}

export interface ClimateDaysInput extends ClimateInput {
  /** First and last year, both included. */
  readonly years: YearSpan;
  readonly quantities: readonly DayQuantity[];
  /** The interval of a row of the table; undefined means days. */
  readonly interval?: 'day' | 'month' | 'year';
  /** Source of the values; undefined means observations. Other sources exist only for the interval `day`. */
  readonly source?: DaySource;
}

/** A table of values of days, months or years. */
interface TableInput<Name> extends Omit<ClimateDaysInput, 'quantities' | 'source'> {
  readonly columns: readonly (readonly [name: Name, source: Source])[];
  /** Whether the values are published. The default is false. */
  readonly isPublished?: boolean;
}

/** The days of the requested years, limited to the time from the first to the last year with observations. */
export interface FoundDays {
  readonly years: YearSpan;
  readonly days: ClimateDays;
  readonly source: DaySource;
  /** The current day, as days since 1970-01-01. */
  readonly today: number;
}

/** Reads tables of the daily values of a station, in any time zone. Only values that passed quality control count. */
export class ReadClimateDays {
  readonly #calendar: Calendar;
  readonly #summarize: Summarize;
  readonly #aggregates: SumFromAggregates;

  constructor(calendar: Calendar, summarize: Summarize, aggregates: SumFromAggregates) {
    this.#calendar = calendar;
    this.#summarize = summarize;
    this.#aggregates = aggregates;
  }

  /**
   * Reads the days for the given quantities.
   *
   * @returns undefined if the requested years have no observations
   * @throws DomainError as `#yearsOf` and `Summarize`
   */
  async find(
    described: StationSnapshot,
    asked: ClimateInput,
    quantities: readonly ClimateQuantity[],
    permit: Permit = UNLIMITED,
  ): Promise<FoundDays | undefined> {
    const source = asked.source ?? defaultSource(described.inventory.variables);
    const { dayStart, timeZone } = asked;
    const days = { dayStart, timeZone, quantities: sourcesOf(quantities), source };
    const years = await this.#yearsOf(described, asked, days, permit);
    if (years === undefined) return undefined;
    const input = { ...days, years };
    const today = this.today(described, asked);
    return { years, days: await this.execute(described, input, permit), source, today };
  }

  /**
   * The date of the current day of a station, as days since 1970-01-01.
   *
   * @throws DomainError REQUEST_INVALID for an unknown time zone
   */
  today(
    { station, asOf }: StationSnapshot,
    { timeZone, dayStart }: Pick<ClimateInput, 'timeZone' | 'dayStart'>,
  ): number {
    const zone = zoneOf(this.#calendar, station, timeZone);
    let date = dateOf(this.#calendar, asOf, zone);
    while (this.#calendar.startOfDay(dateText(date), zone, dayStart) > asOf) date -= 1;
    return date;
  }

  /**
   * The times of day at which the daily values from one date to another were read (`Station.dailyObservationTime`), in the order in
   * which they applied. Null stands for an unknown time.
   *
   * @param first the first date, such as `2013-01-01`
   * @param last the last date, included
   */
  observationTimes(
    station: Station,
    timeZone: string,
    first: string,
    last: string,
  ): readonly (string | null)[] {
    // Periods of the history begin at midnight of standard time, so the noons of the dates are compared.
    const [from, to] = [first, last].map((date) => this.#calendar.startOfDay(date, timeZone, NOON)) as [
      number,
      number,
    ];
    return observationTimesIn(station, from, to + 1);
  }

  /**
   * Limits the requested years to the range from the first to the last year with observations.
   *
   * @returns undefined if no year is left
   * @throws DomainError REQUEST_INVALID for an unknown time zone or more than `MAX_YEARS` years; DATA_DAMAGED for more than
   *   `MAX_YEARS` years if the station has damaged rows
   */
  async #yearsOf(
    described: StationSnapshot,
    { years: asked, around }: Pick<ClimateInput, 'years' | 'around'>,
    input: Omit<ClimateDaysInput, 'years'>,
    permit: Permit,
  ): Promise<YearSpan | undefined> {
    const { dayStart, timeZone, source } = input;
    const zone = zoneOf(this.#calendar, described.station, timeZone);
    const { first, last } = await this.#extentOf(described);
    if (first === null || last === null) return undefined;
    let [firstYear, lastYear] = [this.#yearOf(first, zone, dayStart), this.#yearOf(last, zone, dayStart)];
    if (source !== 'observations') {
      // The days of the published daily values begin at noon. So a row in the morning of 1 January belongs to 31 December, and
      // the published values may begin or end a year earlier than the rows (`firstYear`, `lastYear`). Not every row has a
      // published value. So if the years may differ, the values of the uncertain year are read, to find whether there are any.
      const hasValues = async (year: number) => {
        const days = await this.execute(described, { ...input, years: { from: year, to: year } }, permit);
        return input.quantities.some((quantity) => days.isObserved(quantity));
      };
      const [earlier, before] = [this.#yearOf(first - 1, zone, NOON), this.#yearOf(last, zone, NOON)];
      if (earlier < firstYear && (await hasValues(earlier))) firstYear = earlier;
      if (before < lastYear && before >= firstYear && !(await hasValues(lastYear))) lastYear = before;
    }
    const years = {
      from: Math.max(firstYear, asked?.from ?? firstYear),
      to: Math.min(lastYear, asked?.to ?? lastYear),
    };
    if (years.to - years.from < MAX_YEARS) return years.from > years.to ? undefined : years;
    if (around !== undefined) {
      const to = Math.min(years.to, Math.max(years.from, around.from) + MAX_YEARS - 1);
      if (around.to <= to || to === years.to) return { from: to - MAX_YEARS + 1, to };
    }
    const { first: damage } = described.inventory.damaged ?? {};
    if (damage !== undefined) throw damagedData(described.station.id, damage);
    throw new DomainError(
      'REQUEST_INVALID',
      `A reply has at most ${MAX_YEARS} years: request a part of them with years=${lastYear - 99}-${lastYear}.`,
    );
  }

  /** The times of the first and the last row, including rows that were removed because of their age. */
  async #extentOf({ station, inventory }: StationSnapshot): Promise<Pick<Inventory, 'first' | 'last'>> {
    return extentOf(withRemoved(inventory, await this.#aggregates.expiredMonths(station)));
  }

  #yearOf(time: number, timeZone: string, dayStart: number): number {
    return Number(this.#calendar.format(time - dayStart * MILLISECONDS.minute, timeZone).slice(0, 4));
  }

  /**
   * Reads a table of the given years.
   *
   * An amount (for example of rain) whose time is the start of a day belongs to the previous day. If the first row of the station
   * is at the start of a day, its amount would be the only value of the previous day, and perhaps of a month or a year. Such an
   * amount is left out.
   */
  async execute(
    described: StationSnapshot,
    input: ClimateDaysInput,
    permit: Permit = UNLIMITED,
  ): Promise<ClimateDays> {
    const { quantities, source = 'observations' } = input;
    const { variables } = described.inventory;
    const { published, observed } = readFrom(source, quantities, variables);
    const computed = {
      ...input,
      columns: observed.map((one) => [one, sourceOf('observations', one)] as const),
    };
    if (source === 'observations') return this.#table(described, computed, permit);
    const columns = published.map((one) => [one, sourceOf('daily', one)] as const);
    const daily = { ...input, columns, dayStart: NOON, isPublished: true };
    const ofDays = published.length > 0 ? await this.#table(described, daily, permit) : undefined;
    const days =
      ofDays === undefined || observed.length > 0
        ? await this.#table(described, computed, permit)
        : new ClimateDays(ofDays.dates, new Map());
    const amounts = new Map<DayQuantity, AmountsOfDays>();
    for (const quantity of quantities) {
      const found = amountsOf(quantity, variables);
      if (found === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- only the sums of one quantity are in memory at a time
      const ofQuantity = await this.#amountsOfDays(described, input, found, permit);
      if (ofQuantity.length > 0) amounts.set(quantity, new AmountsOfDays(days.dates, ofQuantity));
    }
    return withAmounts(ofDays === undefined ? days : withPublished(days, ofDays), amounts);
  }

  /** Reads the amounts of several days that have a day in the given years, in the order of their last days. */
  async #amountsOfDays(
    described: StationSnapshot,
    input: ClimateDaysInput,
    { amount, days }: { readonly amount: number; readonly days: number },
    permit: Permit,
  ): Promise<readonly AmountOfDays[]> {
    // An amount is published for its last day, which may be in the next year.
    const { last } = described.inventory;
    const isLast = last === null || new Date(last + MILLISECONDS.day).getUTCFullYear() <= input.years.to;
    const years = { from: input.years.from, to: input.years.to + (isLast ? 0 : 1) };
    const columns = [
      ['amount', { variable: variableNumbered(amount).name, statistic: 'sum' }],
      ['days', { variable: variableNumbered(days).name, statistic: 'max' }],
    ] as const;
    const table = { ...input, years, columns, dayStart: NOON, isPublished: true };
    const { dates, values } = await this.#columns(described, table, permit);
    const [amounts, lengths] = values.map((column) => column.finish().values) as [Float64Array, Float64Array];
    return [...dates.entries()].flatMap(([row, date]) => {
      const found = {
        first: date - (lengths[row] as number) + 1,
        last: date,
        amount: amounts[row] as number,
      };
      // The days of an amount without a valid number of days are unknown.
      return Number.isNaN(found.first + found.amount) ? [] : [found];
    });
  }

  async #table(
    described: StationSnapshot,
    input: TableInput<DayQuantity>,
    permit: Permit,
  ): Promise<ClimateDays> {
    const { dates, values } = await this.#columns(described, input, permit);
    const columns = input.columns.map(
      ([quantity], index) => [quantity, (values[index] as SummaryColumn).finish()] as const,
    );
    return new ClimateDays(Int32Array.from(dates), new Map(columns));
  }

  async #columns<Name>(
    described: StationSnapshot,
    input: TableInput<Name>,
    permit: Permit,
  ): Promise<{ readonly dates: readonly number[]; readonly values: readonly SummaryColumn[] }> {
    const { years, columns, isPublished = false } = input;
    // Days before the first row are left out, except for published values: the day before the first row may have a published
    // value, although it has no other values.
    const first = isPublished ? null : (await this.#extentOf(described)).first;
    await permit.acquire(cellsOf(input));
    const dates: number[] = [];
    const values = columns.map(() => new SummaryColumn());
    for (let from = years.from; from <= years.to; from += YEARS_AT_ONCE) {
      const piece = { from, to: Math.min(from + YEARS_AT_ONCE - 1, years.to) };
      // oxlint-disable-next-line no-await-in-loop -- only the sums of one piece are in memory at a time
      const page = await this.#read(described, { ...input, years: piece }, permit);
      for (const row of page.rows) {
        dates.push(dateOf(this.#calendar, row.start, page.timeZone));
        const isBefore = first !== null && row.end <= first;
        for (const [index, [, source]] of columns.entries())
          values[index]?.push(isBefore ? NO_VALUE : summaryValue(row, page.variables, source));
      }
    }
    return { dates, values };
  }

  #read(
    described: StationSnapshot,
    { years, dayStart, timeZone = 'station', columns, interval = 'day' }: TableInput<unknown>,
    permit: Permit,
  ): Promise<SummaryPage> {
    return this.#summarize.execute(
      described,
      {
        interval,
        timeZone,
        dayStart,
        from: `${yearLabel(years.from)}-01-01`,
        to: `${yearLabel(years.to + 1)}-01-01`,
        variables: variablesOf(columns),
        quality: 'pass',
      },
      permit,
    );
  }
}

/**
 * Estimated memory of a table and of the sums of the years that are read at a time, in cells. A cell is 8 bytes; the read gate
 * limits the number of cells of all reads.
 */
function cellsOf({ years, columns }: TableInput<unknown>): number {
  const length = years.to - years.from + 1;
  const sums = variablesOf(columns).length * Math.min(YEARS_AT_ONCE, length) * CELLS_OF_BUCKET;
  return DAYS_OF_YEAR * (sums + columns.length * length * CELLS_OF_DAY);
}

function variablesOf(columns: TableInput<unknown>['columns']): readonly string[] {
  return [...new Set(columns.map(([, { variable }]) => variable))];
}
