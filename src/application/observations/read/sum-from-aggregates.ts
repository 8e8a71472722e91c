import { canBeCurrent, isCurrent, isSettled } from '#domain/weather/summaries/daily-aggregate.js';
import type { Station } from '#domain/weather/station.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import type { Summaries } from '#domain/weather/summaries/summaries.js';
import type { Calendar } from '../../ports/calendar.js';
import type { DailyAggregateStore, MonthRange } from '../../ports/daily-aggregate-store.js';
import type { MaintainDailyAggregates } from './maintain-daily-aggregates.js';
import type { PartRange } from './summary-parts.js';
import type { RoutineIntervals } from './aggregates/routine-intervals.js';

/** Adds the daily aggregates of a store to summaries. */
export class SumFromAggregates {
  readonly #calendar: Calendar;
  readonly #aggregates: DailyAggregateStore;
  readonly #maintain: MaintainDailyAggregates;

  constructor(calendar: Calendar, aggregates: DailyAggregateStore, maintain: MaintainDailyAggregates) {
    this.#calendar = calendar;
    this.#aggregates = aggregates;
    this.#maintain = maintain;
  }

  /** Finds the usual intervals between the reports of stations whose reporting interval is unknown; see `RoutineIntervals`. */
  get routines(): RoutineIntervals {
    return this.#maintain.routines;
  }

  /** The months of a station whose rows were removed because of their age, as in `DailyAggregateStore.expiredMonths`. */
  expiredMonths(station: Station): Promise<MonthRange | undefined> {
    return this.#aggregates.expiredMonths(station.number);
  }

  /**
   * Adds the daily aggregates of a station to `summaries`, and requests the aggregates that are missing.
   *
   * @param days consecutive days in the time zone of the station, from midnight to midnight
   * @param lastSeen time of the newest row of the station
   * @param removed result of `expiredMonths`
   * @returns the ranges of days without aggregates, in order
   */
  async execute(
    station: Station,
    days: readonly Bucket[],
    summaries: Summaries,
    lastSeen: number,
    removed: MonthRange | undefined,
  ): Promise<readonly PartRange[]> {
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) return [];
    const { number, timeZone } = station;
    const range = { from: first.start, to: last.end };
    const months = this.#calendar
      .buckets('month', timeZone, 0, range.from, range.to)
      .filter((month) => month.start >= range.from && month.end <= range.to && isSettled(month, lastSeen));
    const mayHaveRemoved = removed !== undefined && range.from < removed.to;
    if (months.length === 0 && !mayHaveRemoved) return [[0, days.length]];
    const aggregates = await this.#aggregates.find({ stations: [number], timeZone, ...range });
    const remaining: PartRange[] = [];
    const found = new Set<number>();
    let next = 0;
    for (const month of aggregates) {
      const at = firstDayFrom(days, month.start);
      // If the days of the aggregates have other bounds than `days`, the aggregates are from a former definition of the time zone
      // and are not used.
      if (at < next || days[at]?.start !== month.start || days[at + month.days - 1]?.end !== month.end)
        continue;
      // Aggregates of a month whose rows were removed are used, because they cannot be computed again.
      const isRemoved = removed !== undefined && month.start < removed.to;
      if (!isCurrent(station, month) && !isRemoved) continue;
      summaries.addDays(at, month);
      found.add(month.start);
      if (at > next) remaining.push([next, at]);
      next = at + month.days;
    }
    if (next < days.length) remaining.push([next, days.length]);
    this.#maintain.request(
      station,
      months.filter((month) => !found.has(month.start) && canBeCurrent(station, month)),
    );
    return remaining;
  }
}

/** Index of the first day that begins at `time` or later. */
function firstDayFrom(days: readonly Bucket[], time: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] as Bucket).start < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
