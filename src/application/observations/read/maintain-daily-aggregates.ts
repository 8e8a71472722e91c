import {
  type DailyAggregates,
  isCurrent,
  isSettled,
  SEVERAL_INTERVALS,
} from '#domain/weather/summaries/daily-aggregate.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { unusualMethods } from '#domain/weather/computation/cell-methods.js';
import { VARIABLES, variableNumbered } from '#domain/weather/variables.js';
import { reportingIntervalIn } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import { isZeroInDarkness } from '#domain/weather/summaries/darkness.js';
import { NO_POSITION, positionCodeIn } from '#domain/weather/summaries/position-code.js';
import { summariesOf, summedStation } from '#domain/weather/summaries/sums-query.js';
import { pause } from '../../pause.js';
import type { Calendar } from '../../ports/calendar.js';
import type { DailyAggregateStore } from '../../ports/daily-aggregate-store.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import { workThrough } from '../../work-through.js';
import { readableSpan } from './observation-query.js';
import { UNLIMITED } from './gate/permit.js';
import { RoutineIntervals } from './aggregates/routine-intervals.js';

/** Time between two rounds, in milliseconds. */
export const AGGREGATE_INTERVAL = 5000;

/**
 * Maximum number of stations whose aggregates are requested but not computed yet. Requests for further stations are ignored; the
 * next summary of such a station requests its aggregates again.
 */
const MAX_STATIONS = 1000;
/** Number of months that are written in one call. */
const MONTHS_AT_ONCE = 12;

/**
 * Computes missing daily aggregates in the background. If a summary finds a month without aggregates, it reads the rows of the
 * month, and requests the aggregates from this class.
 */
export class MaintainDailyAggregates {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;
  readonly #aggregates: DailyAggregateStore;
  /** Finds the usual intervals between the reports of stations whose reporting interval is unknown; see `RoutineIntervals`. */
  readonly routines: RoutineIntervals;
  /** Requested months by id of the station and start of the month. */
  readonly #requested = new Map<string, Map<number, Bucket>>();

  constructor(calendar: Calendar, observations: ObservationStore, aggregates: DailyAggregateStore) {
    this.#calendar = calendar;
    this.#observations = observations;
    this.#aggregates = aggregates;
    this.routines = new RoutineIntervals(calendar, observations, aggregates);
  }

  /** Requests aggregates of months of a station. The months are in the time zone of the station. */
  request({ id }: Station, months: readonly Bucket[]): void {
    if (months.length === 0 || (this.#requested.size >= MAX_STATIONS && !this.#requested.has(id))) return;
    const requested = this.#requested.get(id) ?? new Map<number, Bucket>();
    this.#requested.set(id, requested);
    for (const month of months) requested.set(month.start, month);
  }

  /** Runs one round. @param signal ends a long round early; the remaining months are computed after the next request */
  async execute(signal?: AbortSignal): Promise<void> {
    const requested = [...this.#requested];
    this.#requested.clear();
    await workThrough(
      requested,
      ([id, months]) => this.#computeAll(id, [...months.values()], isSettled, signal),
      signal,
    );
  }

  /**
   * Computes the aggregates of months of a station if they are missing, or were computed by former rules or with another
   * reporting interval or position. The months must have ended, but late rows of the months may still arrive.
   */
  async compute(station: Station, months: readonly Bucket[], signal?: AbortSignal): Promise<void> {
    const { id, number, timeZone } = station;
    const [from, to] = [months[0]?.start ?? 0, months.at(-1)?.end ?? 0];
    const found = await this.#aggregates.find({ stations: [number], timeZone, from, to });
    const removed = await this.#aggregates.expiredMonths(number);
    // Aggregates of a month whose rows were removed count as up to date, because they cannot be computed again.
    const upToDate = found.filter(
      (month) => (removed !== undefined && month.start < removed.to) || isCurrent(station, month),
    );
    const starts = new Set(upToDate.map(({ start }) => start));
    const missing = months.filter(({ start }) => !starts.has(start));
    await this.#computeAll(id, missing, () => true, signal);
  }

  async #computeAll(
    id: string,
    months: readonly Bucket[],
    isDue: typeof isSettled,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (let at = 0; at < months.length; at += MONTHS_AT_ONCE) {
      if (signal?.aborted === true) return;
      const described = await this.#observations.describe(id);
      if (described === undefined) return;
      const { station, revision, inventory } = described;
      const lastSeen = readableSpan(inventory).last;
      if (lastSeen === null) return;
      if (inventory.damaged !== undefined || station.damaged !== undefined) return;
      const aggregates: DailyAggregates[] = [];
      for (const month of months.slice(at, at + MONTHS_AT_ONCE)) {
        const computed = isDue(month, lastSeen) ? await this.#compute(station, month) : undefined;
        if (computed !== undefined) aggregates.push(computed);
        await pause();
      }
      await this.#aggregates.put(station.number, revision, station.timeZone, aggregates);
    }
  }

  /** @returns undefined if the range is no longer a month of the station, because the time zone of the station has changed */
  async #compute(station: Station, { start, end }: Bucket): Promise<DailyAggregates | undefined> {
    const days = this.#calendar.buckets('day', station.timeZone, 0, start, end);
    if (days[0]?.start !== start || days.at(-1)?.end !== end) return undefined;
    const routine = await this.routines.ofMonth(station, { start, end }, UNLIMITED);
    const query = {
      stations: [summedStation(station, [{ start, end, intervals: routine }])],
      buckets: days,
      variables: undefined,
      columns: undefined,
      includeAll: false,
    };
    const summaries = summariesOf(query);
    for await (const { at, sums } of this.#observations.sum(query)) summaries.addSums(at, sums);
    const interval = reportingIntervalIn(station, start, end);
    const reportingInterval = interval === undefined ? SEVERAL_INTERVALS : interval;
    const dependsOnSun = summaries.variables.map(variableNumbered).some(isZeroInDarkness);
    return {
      start,
      end,
      days: days.length,
      reportingInterval,
      rules: COMPUTATION_RULES,
      unusualMethods: unusualMethods(station, VARIABLES),
      positionCode: dependsOnSun ? positionCodeIn(station, start, end) : NO_POSITION,
      routine,
      sums: summaries.sums(0, days.length),
    };
  }
}
