import { reportingIntervalAt } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { type CalendarInterval, isClockInterval } from '#domain/weather/summaries/bucket.js';
import type { RoutineOfBuckets } from '#domain/weather/summaries/column-sums.js';
import type { MonthRule } from '#domain/weather/summaries/completeness.js';
import { type DayMean, type DegreeDayBases, DEFAULT_BASES } from '#domain/weather/summaries/of-days.js';
import { Summaries } from '#domain/weather/summaries/summaries.js';
import { type Variable, variableNumbered } from '#domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { MonthRange } from '../../ports/daily-aggregate-store.js';
import type { Inventory, ObservationStore } from '../../ports/observation-store.js';
import type { SumFromAggregates } from './sum-from-aggregates.js';
import type { StationSnapshot } from './describe-station.js';
import {
  type AskedRange,
  expectedRows,
  type ObservationRange,
  rangeOf,
  variablesNamed,
  zoneOf,
} from './observation-query.js';
import { type Permit, UNLIMITED } from './gate/permit.js';
import {
  intervalsOf,
  isAmount,
  partsOf,
  rangeOfStretch,
  type Stretch,
  type SummaryParts,
  withFirstAmount,
  withoutEmptyEnd,
  withoutEmptyStart,
  withRemoved,
} from './summary-parts.js';
import type { FoundRoutines } from './tables/routine-intervals.js';
import { type SummaryRow, summaryRows, withPartners, withTraces } from './summary-rows.js';

/** Memory of the statistics of one variable in one interval, in cells of the read gate. */
export const CELLS_OF_BUCKET = 8;

/** A date in `from` or `to` means the day that begins at `dayStart`, for example at 06:00. */
export interface SummarizeInput extends AskedRange {
  readonly interval: CalendarInterval;
  readonly timeZone: string;
  readonly dayStart: number;
  /** Names. Undefined means all variables that have a value in the range. */
  readonly variables: readonly string[] | undefined;
  readonly quality: 'all' | 'pass';
  /** When the mean of a month is valid; undefined means `wmo_1203`. */
  readonly monthRule?: MonthRule | undefined;
  /** Of degree days, in °C; undefined means `USUAL_BASES`. */
  readonly bases?: Partial<DegreeDayBases> | undefined;
  /** The temperature of a day in degree days; undefined means `mean`. */
  readonly dayMean?: DayMean | undefined;
  /** Whether a long range may have several pages. */
  readonly isPaged?: boolean;
}

/** `from` and `to` are the requested range. The first interval may begin before it, and the last may end after it. */
export interface SummaryPage extends ObservationRange {
  readonly station: Station;
  readonly timeZone: string;
  readonly variables: readonly Variable[];
  /** Created during iteration, because all rows together take more memory than the statistics they come from. */
  readonly rows: Iterable<SummaryRow>;
  /** Formats an instant with the UTC offset of `timeZone`. */
  readonly format: (time: number) => string;
  /** Start of the first interval of the next page; null at the end. */
  readonly next: number | null;
}

/**
 * Computes statistics of a station for intervals of the calendar. Those longer than a day are added up from the sums of their
 * days, which a store may have in tables.
 */
export class Summarize {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;
  readonly #tables: SumFromAggregates;

  constructor(calendar: Calendar, observations: ObservationStore, tables: SumFromAggregates) {
    this.#calendar = calendar;
    this.#observations = observations;
    this.#tables = tables;
  }

  /**
   * @param permit of the request at the read gate
   * @throws DomainError REQUEST_INVALID for an unknown variable or time zone, or more than `MAX_BUCKETS` intervals;
   *   RATE_LIMITED or SERVICE_UNAVAILABLE at the gate
   */
  async execute(
    described: StationSnapshot,
    input: SummarizeInput,
    permit: Permit = UNLIMITED,
  ): Promise<SummaryPage> {
    const { station, inventory, asOf } = described;
    const removed = await this.#tables.expiredMonths(station);
    const extent = withRemoved(inventory, removed);
    const range = rangeOf(this.#calendar, station, extent, input, asOf);
    const timeZone = zoneOf(this.#calendar, station, input.timeZone);
    const named = input.variables && variablesNamed(input.variables);
    const stored = inventory.variables.map(variableNumbered);
    const covered =
      input.from === undefined && input.last === undefined
        ? withFirstAmount(range, input.interval, named ?? stored)
        : range;
    const { intervals, next } = intervalsOf(this.#calendar, { ...input, timeZone }, covered);
    // All pages have the same variables.
    const asked = named ?? (next === null ? undefined : stored);
    const summarized = asked && withTraces(asked, inventory);
    const parts = partsOf(this.#calendar, intervals, { ...input, timeZone }, extent);
    const columns = (summarized && withPartners(summarized).length) ?? inventory.variables.length;
    const whole = rangeOfStretch(parts, [0, parts.parts.length]);
    const routines = await this.#tables.routines.find(described, whole);
    const found = { station, inventory, extent, removed, parts, routines };
    const work = { ...found, asked: summarized, input, timeZone, columns, permit };
    const summaries = await this.#sums(work);
    const summed = asked ?? summaries.variables.map(variableNumbered);
    const { interval, monthRule = 'wmo_1203', bases, dayMean = 'mean' } = input;
    const rules = { interval, monthRule, bases: { ...DEFAULT_BASES, ...bases }, dayMean };
    const isEmpty = (some: readonly Variable[], [begin, end]: Stretch) =>
      some.every(({ number }) => summaries.statistics(number, begin, end).count === 0);
    const begun = withoutEmptyStart(parts, range, (stretch) => isEmpty(summed.filter(isAmount), stretch));
    const kept = withoutEmptyEnd(begun, range, extent, (stretch) => isEmpty(summed, stretch));
    const rows = summaryRows(station, kept, summed, summaries, rules);
    const format = (time: number) => this.#calendar.format(time, timeZone);
    return { station, ...range, timeZone, variables: summed, rows, format, next };
  }

  /** The sums of all parts. */
  async #sums(work: Work): Promise<Summaries> {
    const { inventory, parts, columns, permit, routines } = work;
    const own = columns * parts.parts.length * CELLS_OF_BUCKET + routines.cells;
    const cellsOf = (rest: readonly Stretch[]) =>
      columns *
      rest.reduce((sum, stretch) => sum + expectedRows(inventory, rangeOfStretch(parts, stretch)), 0);
    await permit.acquire(this.#mayHaveTables(work) ? own : own + cellsOf([[0, parts.parts.length]]));
    const routine = await routines.read(permit);
    let found: Tabled | undefined = await this.#fromTables(work, routine);
    const rows = cellsOf(found.rest);
    if (this.#mayHaveTables(work) && rows > own) {
      // The rows that must be read after all take more than was asked for. No sums are kept while they wait.
      found = undefined;
      await permit.acquire(own + rows);
    }
    const { summaries, rest } = found ?? (await this.#fromTables(work, routine));
    for (const stretch of rest) await this.#addRows(work, summaries, stretch);
    return summaries;
  }

  /** Tables have the days of the station, in its zone from midnight on, of values that passed quality control. */
  #mayHaveTables({ station, extent, input, timeZone, parts }: Work): boolean {
    const { interval, dayStart, quality } = input;
    const isOfStation = timeZone === station.timeZone && dayStart === 0 && quality === 'pass';
    // Where rows are damaged, the read of the rows says so.
    const isWhole = extent.last !== null && extent.damaged === undefined;
    return isOfStation && isWhole && !isClockInterval(interval) && parts.parts.length > 0;
  }

  async #fromTables(work: Work, routine: RoutineOfBuckets): Promise<Tabled> {
    const { station, extent, removed, asked, input } = work;
    const { parts } = work.parts;
    const variables = asked?.map(({ number }) => number);
    const summaries = new Summaries(parts, {
      variables,
      includeAll: input.quality === 'all',
      reportingInterval: (start) => reportingIntervalAt(station, start),
      routine,
      station,
    });
    if (extent.last === null || !this.#mayHaveTables(work))
      return { summaries, rest: parts.length === 0 ? [] : [[0, parts.length]] };
    const rest = await this.#tables.execute(station, parts, summaries, extent.last, removed);
    return { summaries, rest };
  }

  async #addRows(
    { station, asked, parts, permit }: Work,
    summaries: Summaries,
    stretch: Stretch,
  ): Promise<void> {
    const { from, to } = rangeOfStretch(parts, stretch);
    // Values of intervals belong to the one that ends at their time, so a value at `to` counts as well.
    const range = { stations: [station.number], from, to: to + 1 };
    const variables = asked && withPartners(asked);
    for await (const series of this.#observations.read(variables ? { ...range, variables } : range)) {
      permit.signal?.throwIfAborted();
      summaries.add(series, ...stretch);
      await permit.turn();
    }
  }

  /**
   * All intervals of a range, page by page.
   *
   * @throws DomainError as `execute`, for more than `MAX_INTERVALS`
   */
  async *pages(
    described: StationSnapshot,
    input: SummarizeInput,
    permit: Permit = UNLIMITED,
  ): AsyncGenerator<SummaryPage, undefined> {
    let page = await this.execute(described, { ...input, isPaged: true }, permit);
    yield page;
    const variables = page.variables.map(({ name }) => name);
    const { to } = page;
    while (page.next !== null) {
      page = await this.execute(
        described,
        { ...input, isPaged: true, variables, from: page.next, to, last: undefined },
        permit,
      );
      yield page;
    }
  }
}

/** Sums of days that have a table, and the parts whose rows must be read. */
interface Tabled {
  readonly summaries: Summaries;
  readonly rest: readonly Stretch[];
}

/** A request as far as it is understood. */
interface Work {
  readonly station: Station;
  readonly inventory: Inventory;
  /** As `inventory`, from the first of the months whose rows were removed. */
  readonly extent: Inventory;
  readonly removed: MonthRange | undefined;
  readonly parts: SummaryParts;
  readonly routines: FoundRoutines;
  /** Those that are summarized; undefined means all. */
  readonly asked: readonly Variable[] | undefined;
  readonly input: SummarizeInput;
  readonly timeZone: string;
  /** Number of variables that are read. */
  readonly columns: number;
  readonly permit: Permit;
}
