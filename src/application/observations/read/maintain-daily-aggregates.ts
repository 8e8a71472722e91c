import {
  type DailyAggregates,
  isCurrent,
  isSettled,
  SEVERAL_INTERVALS,
} from '#domain/weather/summaries/daily-aggregate.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { unusualMethods } from '#domain/weather/computation/cell-methods.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { reportingIntervalAt, reportingIntervalIn } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import { Summaries } from '#domain/weather/summaries/summaries.js';
import { pause } from '../../pause.js';
import type { Calendar } from '../../ports/calendar.js';
import type { DailyAggregateStore } from '../../ports/daily-aggregate-store.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import { workThrough } from '../../work-through.js';
import { UNLIMITED } from './gate/permit.js';
import { RoutineIntervals } from './tables/routine-intervals.js';

/** Milliseconds between two rounds. */
export const TABLE_INTERVAL = 5000;

/** Largest number of stations whose tables are wanted. Beyond it the next request asks again. */
const MAX_STATIONS = 1000;
/** Number of tables that are written in one call. */
const BATCH = 12;

/** Makes the tables of days that summaries have missed, in the background. */
export class MaintainDailyAggregates {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;
  readonly #tables: DailyAggregateStore;
  /** Of the stations whose reporting interval is unknown. */
  readonly routines: RoutineIntervals;
  /** By the id of the station; months by their start. */
  readonly #wanted = new Map<string, Map<number, Bucket>>();

  constructor(calendar: Calendar, observations: ObservationStore, tables: DailyAggregateStore) {
    this.#calendar = calendar;
    this.#observations = observations;
    this.#tables = tables;
    this.routines = new RoutineIntervals(calendar, observations, tables);
  }

  /** Notes months of a station, in its time zone, that have no table. */
  want({ id }: Station, months: readonly Bucket[]): void {
    if (months.length === 0 || (this.#wanted.size >= MAX_STATIONS && !this.#wanted.has(id))) return;
    const wanted = this.#wanted.get(id) ?? new Map<number, Bucket>();
    this.#wanted.set(id, wanted);
    for (const month of months) wanted.set(month.start, month);
  }

  /** @param signal ends a long round early; what is left is made when it is wanted again */
  async execute(signal?: AbortSignal): Promise<void> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    await workThrough(
      wanted,
      ([id, months]) => this.#makeAll(id, [...months.values()], isSettled, signal),
      signal,
    );
  }

  /**
   * Makes the tables of months of a station that have none, or one of former rules or another reporting interval. The months have ended, but may be
   * newer than settled ones.
   */
  async make(station: Station, months: readonly Bucket[], signal?: AbortSignal): Promise<void> {
    const { id, number, timeZone } = station;
    const [from, to] = [months[0]?.start ?? 0, months.at(-1)?.end ?? 0];
    const found = await this.#tables.find({ stations: [number], timeZone, from, to });
    const removed = await this.#tables.expiredMonths(number);
    // Without rows no other table can be made.
    const kept = found.filter(
      (table) => (removed !== undefined && table.start < removed.to) || isCurrent(station, table),
    );
    const starts = new Set(kept.map(({ start }) => start));
    const missing = months.filter(({ start }) => !starts.has(start));
    await this.#makeAll(id, missing, () => true, signal);
  }

  async #makeAll(
    id: string,
    months: readonly Bucket[],
    isDue: typeof isSettled,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (let at = 0; at < months.length; at += BATCH) {
      if (signal?.aborted === true) return;
      const described = await this.#observations.describe(id);
      if (described === undefined || described.lastSeen === null) return;
      const { station, revision, lastSeen, inventory } = described;
      if (inventory.damaged !== undefined || station.damaged !== undefined) return;
      const tables: DailyAggregates[] = [];
      for (const month of months.slice(at, at + BATCH)) {
        const table = isDue(month, lastSeen) ? await this.#make(station, month) : undefined;
        if (table !== undefined) tables.push(table);
        await pause();
      }
      await this.#tables.put(station.number, revision, station.timeZone, tables);
    }
  }

  /** @returns undefined if it is no month of the station, whose zone has changed */
  async #make(station: Station, { start, end }: Bucket): Promise<DailyAggregates | undefined> {
    const { number, timeZone } = station;
    const days = this.#calendar.buckets('day', timeZone, 0, start, end);
    if (days[0]?.start !== start || days.at(-1)?.end !== end) return undefined;
    const intervalOf = (time: number) => reportingIntervalAt(station, time);
    const routine = await this.routines.ofMonth(station, { start, end }, UNLIMITED);
    const routineOf = (_start: number, variable: number) => routine.get(variable);
    const summaries = new Summaries(days, { reportingInterval: intervalOf, routine: routineOf, station });
    const rows = this.#observations.read({ stations: [number], from: start, to: end + 1 });
    for await (const series of rows) summaries.add(series);
    const interval = reportingIntervalIn(station, start, end);
    const reportingInterval = interval === undefined ? SEVERAL_INTERVALS : interval;
    return {
      start,
      end,
      days: days.length,
      reportingInterval,
      rules: COMPUTATION_RULES,
      unusualMethods: unusualMethods(station, VARIABLES),
      routine,
      sums: summaries.sums(0, days.length),
    };
  }
}
