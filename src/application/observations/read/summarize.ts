import type { Station } from '#domain/weather/station.js';
import { type CalendarInterval, isClockInterval } from '#domain/weather/summaries/bucket.js';
import type { MonthRule } from '#domain/weather/summaries/completeness.js';
import { type DayMean, type DegreeDayBases, DEFAULT_BASES } from '#domain/weather/summaries/of-days.js';
import type { Summaries } from '#domain/weather/summaries/summaries.js';
import {
  type RoutineMonth,
  type SummedStation,
  type SumsQuery,
  summariesOf,
  summedStation,
} from '#domain/weather/summaries/sums-query.js';
import { type Variable, variableNumbered } from '#domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { MonthRange } from '../../ports/daily-aggregate-store.js';
import type { Inventory, ObservationStore } from '../../ports/observation-store.js';
import type { SumFromAggregates } from './sum-from-aggregates.js';
import type { StationSnapshot } from './describe-station.js';
import {
  type RangeRequest,
  expectedRows,
  extentOf,
  type ObservationRange,
  rangeOf,
  variablesNamed,
} from './observation-query.js';
import { zoneOf } from '../../asked-zone.js';
import { type Permit, UNLIMITED } from './gate/permit.js';
import {
  intervalsOf,
  isAmount,
  partsOf,
  rangeOfParts,
  type PartRange,
  type SummaryParts,
  withFirstAmount,
  withoutEmptyEnd,
  withoutEmptyStart,
  withRemoved,
} from './summary-parts.js';
import type { FoundRoutines } from './aggregates/routine-intervals.js';
import { isWeighted, type SummaryRow, summaryRows, withPartners, withTraces } from './summary-rows.js';

/**
 * Memory that the statistics of one variable in one interval take, in cells of 8 bytes. `Permit` limits the cells that a request
 * holds in memory.
 */
export const CELLS_OF_BUCKET = 8;

/** A request for summaries. A date in `from` or `to` means the day that begins at `dayStart`, for example at 06:00. */
export interface SummarizeInput extends RangeRequest {
  readonly interval: CalendarInterval;
  readonly timeZone: string;
  readonly dayStart: number;
  /** Names of the variables. Undefined means all variables that have a value in the range. */
  readonly variables: readonly string[] | undefined;
  readonly quality: 'all' | 'pass';
  /** Rule that decides whether the mean of a month is valid; undefined means `wmo_1203`. */
  readonly monthRule?: MonthRule | undefined;
  /** Base temperatures of degree days, in °C; undefined means `DEFAULT_BASES`. */
  readonly bases?: Partial<DegreeDayBases> | undefined;
  /** Definition of the daily temperature for degree days; undefined means `mean`. */
  readonly dayMean?: DayMean | undefined;
  /** Whether the reply to a long range has several pages. */
  readonly isPaged?: boolean;
}

/**
 * The summaries of a range. If the range is long, these may be only the summaries of its beginning, called a page; the next page
 * then begins at `next`. `from` and `to` are the requested range. The first and the last interval may extend beyond it.
 */
export interface SummaryPage extends ObservationRange {
  readonly station: Station;
  readonly timeZone: string;
  readonly variables: readonly Variable[];
  /** The rows are created during iteration, because all rows together take more memory than the statistics. */
  readonly rows: Iterable<SummaryRow>;
  /** Formats an instant with the UTC offset of `timeZone`. */
  readonly format: (time: number) => string;
  /**
   * The time from which the next summaries must be requested, to continue where these summaries end; null if these are the last
   * ones.
   */
  readonly next: number | null;
}

/**
 * Computes statistics of a station for calendar intervals. The statistics of an interval longer than a day are added up from
 * daily sums. The store may already have these sums as daily aggregates.
 */
export class Summarize {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;
  readonly #aggregates: SumFromAggregates;

  constructor(calendar: Calendar, observations: ObservationStore, aggregates: SumFromAggregates) {
    this.#calendar = calendar;
    this.#observations = observations;
    this.#aggregates = aggregates;
  }

  /**
   * @param permit limits the reads of the request; see `Permit`
   * @throws DomainError REQUEST_INVALID for an unknown variable or time zone, or more than `MAX_BUCKETS` intervals; RATE_LIMITED
   *   or SERVICE_UNAVAILABLE if there are too many reads (`Permit.acquire`)
   */
  async execute(
    described: StationSnapshot,
    input: SummarizeInput,
    permit: Permit = UNLIMITED,
  ): Promise<SummaryPage> {
    const begun = await this.begin(described, input, permit);
    for (const rows of begun.remaining) await this.addRows([rows], permit);
    return begun.page();
  }

  /**
   * Begins the summaries of a station with its daily aggregates. The rows of `remaining` must still be added with `addRows`.
   *
   * @param permit as in `execute`
   * @throws DomainError as `execute`
   */
  async begin(described: StationSnapshot, input: SummarizeInput, permit: Permit): Promise<BegunSummary> {
    const { station, inventory, asOf } = described;
    const removed = await this.#aggregates.expiredMonths(station);
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
    // If the request names no variables and the reply has several pages, all variables of the station are used, and not only the
    // variables with values in the range of one page. So all pages have the same variables.
    const asked = named ?? (next === null ? undefined : stored);
    const summarized = asked && withTraces(asked, inventory);
    const parts = partsOf(this.#calendar, intervals, { ...input, timeZone }, extent);
    const columns = (summarized && withPartners(summarized).length) ?? inventory.variables.length;
    const wholeRange = rangeOfParts(parts, [0, parts.parts.length]);
    const routines = await this.#aggregates.routines.find(described, wholeRange);
    const found = { station, inventory, extent, removed, parts, routines };
    const work = { ...found, asked: summarized, input, timeZone, columns, permit };
    const { summaries, remaining } = await this.#sums(work);
    const page = () => {
      const summed = asked ?? summaries.variables.map(variableNumbered);
      const { interval, monthRule = 'wmo_1203', bases, dayMean = 'mean' } = input;
      const rules = { interval, monthRule, bases: { ...DEFAULT_BASES, ...bases }, dayMean };
      const isEmpty = (included: readonly Variable[], [begin, end]: PartRange) =>
        included.every(({ number }) => summaries.statistics(number, begin, end).count === 0);
      const fromFirstValue = withoutEmptyStart(parts, range, (part) =>
        isEmpty(summed.filter(isAmount), part),
      );
      const trimmed = withoutEmptyEnd(fromFirstValue, range, extent, (part) => isEmpty(summed, part));
      const rows = summaryRows(station, trimmed, summed, summaries, rules);
      const format = (time: number) => this.#calendar.format(time, timeZone);
      return { station, ...range, timeZone, variables: summed, rows, format, next };
    };
    return { remaining, page };
  }

  /**
   * Computes sums from daily aggregates, and waits until the remaining rows may be read. Each part has its own sums. A part is an
   * interval or a day of an interval; see `SummaryParts`.
   */
  async #sums(work: SummaryTask): Promise<BegunSums> {
    const { inventory, parts, columns, permit, routines } = work;
    const own = columns * parts.parts.length * CELLS_OF_BUCKET + routines.cells;
    const cellsOf = (remaining: readonly PartRange[]) =>
      columns *
      remaining.reduce((sum, range) => sum + expectedRows(inventory, rangeOfParts(parts, range)), 0);
    await permit.acquire(this.#canUseAggregates(work) ? own : own + cellsOf([[0, parts.parts.length]]));
    const months = await routines.read(permit);
    let found: AggregatedSums | undefined = await this.#fromAggregates(work, months);
    const rows = cellsOf(found.remaining);
    if (this.#canUseAggregates(work) && rows > own) {
      // Days without aggregates are read as rows. These rows take more memory than the first call of `acquire` has permitted, so
      // `acquire` is called again. This call may wait for a while, and a request that waits must not hold memory. So the sums
      // (`found`) are dropped before this call, and computed again after it.
      found = undefined;
      await permit.acquire(own + rows);
    }
    const { summaries, remaining } = found ?? (await this.#fromAggregates(work, months));
    return { summaries, remaining: remaining.map((range) => unsummedRows(work, months, summaries, range)) };
  }

  /**
   * Whether daily aggregates can be used. They exist only for days that begin at midnight in the time zone of the station, and
   * only for values that passed quality control.
   */
  #canUseAggregates({ station, extent, input, timeZone, parts }: SummaryTask): boolean {
    const { interval, dayStart, quality } = input;
    const isOfStation = timeZone === station.timeZone && dayStart === 0 && quality === 'pass';
    // If rows of the station are damaged, the aggregates are not used. The rows are read instead, and this read fails with
    // DATA_DAMAGED.
    const isWhole = extentOf(extent).last !== null && extent.damaged === undefined;
    return isOfStation && isWhole && !isClockInterval(interval) && parts.parts.length > 0;
  }

  async #fromAggregates(work: SummaryTask, routines: readonly RoutineMonth[]): Promise<AggregatedSums> {
    const { station, extent, removed } = work;
    const { parts } = work.parts;
    const summaries = summariesOf({ ...sumsOf(work, routines), buckets: parts }, extent);
    const { last } = extentOf(extent);
    if (last === null || !this.#canUseAggregates(work))
      return { summaries, remaining: parts.length === 0 ? [] : [[0, parts.length]] };
    const remaining = await this.#aggregates.execute(station, parts, summaries, last, removed);
    return { summaries, remaining };
  }

  /**
   * Sums rows with one question to the store, and adds the sums to the summaries of their stations.
   *
   * @param group rows with the same `group`, of at least one station; each station occurs once
   */
  async addRows(group: readonly UnsummedRows[], permit: Permit): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    const { buckets } = first.query;
    const query = { ...first.query, stations: group.map(({ station }) => station) };
    for await (const { at, count, sums } of this.#observations.sum(query)) {
      permit.signal?.throwIfAborted();
      for (let from = at; from < at + count;) {
        const [index, bucket] = [Math.floor(from / buckets.length), from % buckets.length];
        const length = Math.min(at + count - from, buckets.length - bucket);
        const { summaries, begin } = group[index] as UnsummedRows;
        summaries.addSums(begin + bucket, sums, from - at, length);
        from += length;
      }
      await permit.turn();
    }
  }

  /**
   * Summarizes all intervals of a range, page by page.
   *
   * @throws DomainError as `execute`, but REQUEST_INVALID only for more than `MAX_SUMMARY_INTERVALS` intervals
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

/**
 * `summaries` has the sums that were computed from daily aggregates. `remaining` has the parts without aggregates, whose rows
 * must still be read and added. A part is an interval or a day of an interval; see `SummaryParts`.
 */
interface AggregatedSums {
  readonly summaries: Summaries;
  readonly remaining: readonly PartRange[];
}

/** The summaries of a station, of which only the sums of daily aggregates are complete. */
export interface BegunSummary {
  /** The rows that `Summarize.addRows` must still add. */
  readonly remaining: readonly UnsummedRows[];
  /** Returns the summaries, after all rows were added. */
  readonly page: () => SummaryPage;
}

interface BegunSums {
  readonly summaries: Summaries;
  readonly remaining: readonly UnsummedRows[];
}

/** Rows of a station in consecutive parts. Their sums are not in its summaries yet. */
export interface UnsummedRows {
  readonly station: SummedStation;
  /** The question for the sums, except for the station. */
  readonly query: Omit<SumsQuery, 'stations'>;
  /**
   * Rows of stations with the same text have the same question, and can be summed together. Undefined if they must be summed
   * alone, because sums of several stations do not tell which station has values of a variable:
   *
   * - If a request names no variables, the reply has the variables with values.
   * - A calm counts in the mean direction only of a station with directions.
   */
  readonly group: string | undefined;
  readonly summaries: Summaries;
  /** Index in `summaries` of the first part. */
  readonly begin: number;
}

function unsummedRows(
  work: SummaryTask,
  routines: readonly RoutineMonth[],
  summaries: Summaries,
  [begin, end]: PartRange,
): UnsummedRows {
  const { asked, timeZone, parts } = work;
  const {
    stations: [station],
    ...common
  } = sumsOf(work, routines);
  const buckets = parts.parts.slice(begin, end);
  const query = { ...common, buckets, columns: asked && withPartners(asked) };
  // The parts of a time zone are determined by their first and last bound, because the parts of a request have one interval and one
  // start of day.
  const { from, to } = rangeOfParts(parts, [begin, end]);
  const isAlone = asked === undefined || asked.some(isWeighted);
  const group = isAlone
    ? undefined
    : `${timeZone} ${from} ${to} ${asked.map(({ number }) => number).join(' ')}`;
  return { station, query, group, summaries, begin };
}

/** The fields of a `SumsQuery` that are the same for all parts. */
function sumsOf({ station, asked, input }: SummaryTask, routines: readonly RoutineMonth[]) {
  return {
    stations: [summedStation(station, routines)] as const,
    variables: asked?.map(({ number }) => number),
    includeAll: input.quality === 'all',
  };
}

/** A request after its names and dates were resolved. */
interface SummaryTask {
  readonly station: Station;
  readonly inventory: Inventory;
  /**
   * The inventory (first and last row, number of rows, and variables), extended by the months whose rows were removed because of
   * their age.
   */
  readonly extent: Inventory;
  readonly removed: MonthRange | undefined;
  readonly parts: SummaryParts;
  readonly routines: FoundRoutines;
  /** The summarized variables; undefined means all. */
  readonly asked: readonly Variable[] | undefined;
  readonly input: SummarizeInput;
  readonly timeZone: string;
  /** Number of variables that are read. */
  readonly columns: number;
  readonly permit: Permit;
}
