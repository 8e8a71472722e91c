import { isCurrent, isSettled } from '#domain/weather/summaries/daily-aggregate.js';
import { reportingIntervalIn } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import type { Summaries } from '#domain/weather/summaries/summaries.js';
import type { Calendar } from '../../ports/calendar.js';
import type { DailyAggregateStore, MonthRange } from '../../ports/daily-aggregate-store.js';
import type { MaintainDailyAggregates } from './maintain-daily-aggregates.js';
import type { Stretch } from './summary-parts.js';
import type { RoutineIntervals } from './tables/routine-intervals.js';

/** Adds up days from the tables of a store. */
export class SumFromAggregates {
  readonly #calendar: Calendar;
  readonly #tables: DailyAggregateStore;
  readonly #keep: MaintainDailyAggregates;

  constructor(calendar: Calendar, tables: DailyAggregateStore, keep: MaintainDailyAggregates) {
    this.#calendar = calendar;
    this.#tables = tables;
    this.#keep = keep;
  }

  /** The intervals of routine reports, where the reporting interval of a station is unknown. */
  get routines(): RoutineIntervals {
    return this.#keep.routines;
  }

  /** As `DayTableStore.expiredMonths`. */
  expiredMonths(station: Station): Promise<MonthRange | undefined> {
    return this.#tables.expiredMonths(station.number);
  }

  /**
   * Adds the sums of the days that have a table.
   *
   * @param days of the zone of the station, from midnight to midnight, without gaps
   * @param lastSeen time of the newest row of the station
   * @param removed as `expiredMonths` returns it
   * @returns the stretches of days that remain, in order
   */
  async execute(
    station: Station,
    days: readonly Bucket[],
    summaries: Summaries,
    lastSeen: number,
    removed: MonthRange | undefined,
  ): Promise<readonly Stretch[]> {
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) return [];
    const { number, timeZone } = station;
    const range = { from: first.start, to: last.end };
    const months = this.#calendar
      .buckets('month', timeZone, 0, range.from, range.to)
      .filter((month) => month.start >= range.from && month.end <= range.to && isSettled(month, lastSeen));
    const mayHaveRemoved = removed !== undefined && range.from < removed.to;
    if (months.length === 0 && !mayHaveRemoved) return [[0, days.length]];
    const tables = await this.#tables.find({ stations: [number], timeZone, ...range });
    const rest: Stretch[] = [];
    const found = new Set<number>();
    let next = 0;
    for (const table of tables) {
      const at = placeOf(days, table.start);
      // A table of other days is from a former version of the time zone.
      if (at < next || days[at]?.start !== table.start || days[at + table.days - 1]?.end !== table.end)
        continue;
      // Without rows no other table can be made.
      const isRemoved = removed !== undefined && table.start < removed.to;
      if (!isCurrent(station, table) && !isRemoved) continue;
      summaries.addDays(at, table);
      found.add(table.start);
      if (at > next) rest.push([next, at]);
      next = at + table.days;
    }
    if (next < days.length) rest.push([next, days.length]);
    // A month in which the reporting interval changed is always read from its rows.
    const mayHaveTable = ({ start, end }: Bucket) => reportingIntervalIn(station, start, end) !== undefined;
    this.#keep.want(
      station,
      months.filter((month) => !found.has(month.start) && mayHaveTable(month)),
    );
    return rest;
  }
}

/** The first day that begins at `time` or later. */
function placeOf(days: readonly Bucket[], time: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] as Bucket).start < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
