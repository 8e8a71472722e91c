import { MILLISECONDS } from '#domain/time.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { configuredParts } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import { isSettled, type StoredDays } from '#domain/weather/summaries/daily-aggregate.js';
import { longerOf, type RoutineOfMonth, RoutineReports } from '#domain/weather/summaries/routine-interval.js';
import type { RoutineMonth } from '#domain/weather/summaries/sums-query.js';
import type { Calendar } from '#application/ports/calendar.js';
import type { DailyAggregateStore } from '#application/ports/daily-aggregate-store.js';
import type { ObservationStore } from '#application/ports/observation-store.js';
import type { StationSnapshot } from '../describe-station.js';
import { expectedRows, extentOf, type ObservationRange } from '../observation-query.js';
import type { Permit } from '../gate/permit.js';
import { ResultsByVersion } from '../results-by-version.js';

/** Maximum number of months for which the intervals between routine reports are cached. */
const MAX_CACHED_MONTHS = 2000;
const MAX_MONTH = 31 * MILLISECONDS.day;
const NONE: RoutineOfMonth = new Map();

/**
 * The result of a search for the intervals between routine reports in a range. `read` returns the intervals, and reads rows only
 * for months whose intervals are neither stored nor cached.
 */
export interface FoundRoutines {
  /** Estimated number of cells (values of rows) that `read` reads. */
  readonly cells: number;
  read(permit: Permit): Promise<readonly RoutineMonth[]>;
}

const NOTHING: FoundRoutines = { cells: 0, read: () => Promise.resolve([]) };

/**
 * Finds the intervals between routine reports (see `routine-interval.ts`), for stations whose reporting interval is unknown.
 * Special reports and lost reports are ignored: reports at minute 51 of each hour have an interval of an hour, even if special
 * reports come in between. The intervals are computed for whole months in the time zone of the station, so that they do not
 * depend on the request. If a month has daily aggregates, the intervals are stored with the aggregates.
 */
export class RoutineIntervals {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;
  readonly #aggregates: DailyAggregateStore;
  /** Cached intervals by station, time zone and month. */
  readonly #known = new ResultsByVersion<RoutineOfMonth>(MAX_CACHED_MONTHS);

  constructor(calendar: Calendar, observations: ObservationStore, aggregates: DailyAggregateStore) {
    this.#calendar = calendar;
    this.#observations = observations;
    this.#aggregates = aggregates;
  }

  /**
   * Looks up the known intervals between routine reports in a range. Nothing is read if the reporting interval of the station is
   * known.
   */
  async find(described: StationSnapshot, { from, to }: ObservationRange): Promise<FoundRoutines> {
    const { station, version, inventory } = described;
    const { first, last } = extentOf(inventory);
    if (first === null || last === null || from > last || to < first || !hasUnknown(station, from, to))
      return NOTHING;
    const { number, timeZone } = station;
    const begin = Math.max(from, first - 1);
    const end = Math.min(to, last + 1);
    // The months begin one month earlier than the range, because the intervals of the current month depend on the previous month.
    const months = this.#calendar.buckets('month', timeZone, 0, begin - MAX_MONTH, Math.max(end, begin + 1));
    const range = { from: months[0]?.start ?? 0, to: months.at(-1)?.end ?? 0 };
    const aggregates = await this.#aggregates.find({ stations: [number], timeZone, ...range });
    const routines = new Map(aggregates.filter(hasRoutine).map(({ start, routine }) => [start, routine]));
    const keyOf = (start: number) => `${number} ${timeZone} ${start}`;
    const missing: Bucket[] = [];
    for (const [index, month] of months.entries()) {
      const next = months[index + 1];
      const isNeeded =
        month.end > begin || (next !== undefined && next.end > begin && !isSettled(next, last));
      if (routines.has(month.start) || !isNeeded || month.end <= first || month.start > last) continue;
      const known = this.#known.find(keyOf(month.start), version);
      if (known === undefined) missing.push(month);
      else routines.set(month.start, known);
    }
    const read = async (permit: Permit) => {
      for (const month of missing) {
        const routine = await this.#routineOf(number, month, permit);
        routines.set(month.start, routine);
        this.#known.store(keyOf(month.start), version, routine);
      }
      return byMonths(months, routines, last);
    };
    const rows = missing.reduce(
      (sum, { start, end: until }) => sum + expectedRows(inventory, { from: start, to: until }),
      0,
    );
    return { cells: rows * inventory.variables.length, read };
  }

  /**
   * Computes the intervals between routine reports in a past month, for the aggregates of the month. Only rows of this month are
   * used, so that changes in other months do not affect its aggregates.
   */
  ofMonth(station: Station, month: Bucket, permit: Permit): Promise<RoutineOfMonth> {
    if (!hasUnknown(station, month.start, month.end)) return Promise.resolve(NONE);
    return this.#routineOf(station.number, month, permit);
  }

  async #routineOf(station: number, { start, end }: Bucket, permit: Permit): Promise<RoutineOfMonth> {
    const reports = new RoutineReports();
    for await (const series of this.#observations.read({ stations: [station], from: start, to: end })) {
      permit.signal?.throwIfAborted();
      reports.add(series);
      await permit.turn();
    }
    return reports.intervals();
  }
}

function hasUnknown(station: Station, from: number, to: number): boolean {
  for (const [, , { reportingInterval }] of configuredParts(station, from, to))
    if (reportingInterval === null) return true;
  return false;
}

/**
 * Whether the aggregates of a month have usable intervals between routine reports. This needs aggregates that were computed by
 * the current rules, and a reporting interval that was unknown in the whole month.
 */
function hasRoutine({ rules, reportingInterval }: StoredDays): boolean {
  return rules === COMPUTATION_RULES && reportingInterval === null;
}

/**
 * The intervals between routine reports in each month.
 *
 * @param months consecutive months
 * @param last time of the last row of the station
 */
function byMonths(
  months: readonly Bucket[],
  routines: ReadonlyMap<number, RoutineOfMonth>,
  last: number,
): readonly RoutineMonth[] {
  return months.map((month, index) => {
    const own = routines.get(month.start) ?? NONE;
    const before = routines.get(months[index - 1]?.start ?? Number.NaN) ?? NONE;
    return { ...month, intervals: isSettled(month, last) ? own : longerOf(own, before) };
  });
}
