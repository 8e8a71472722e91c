import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { workThrough } from '#application/work-through.js';
import type { Calendar } from '#application/ports/calendar.js';
import type { DailyAggregateStore } from '#application/ports/daily-aggregate-store.js';
import type { StationStore } from '#application/ports/station-store.js';
import type { MaintainDailyAggregates } from '../maintain-daily-aggregates.js';

/** Time after which aggregates that could not be renewed are tried again, in milliseconds. */
export const RENEWAL_INTERVAL = 60_000;
/** Number of aggregates between two progress reports. */
const REPORTED = 500;

/** Progress of the renewal. The numbers count the months of all stations. */
export interface Renewal {
  readonly total: number;
  readonly done: number;
}

/**
 * Recomputes daily aggregates that were computed by former rules. Until an aggregate is recomputed, summaries read the rows of
 * its month. Several instances may recompute aggregates at the same time, because an up-to-date aggregate is not changed.
 */
export class RenewAggregates {
  readonly #calendar: Calendar;
  readonly #stations: StationStore;
  readonly #aggregates: DailyAggregateStore;
  readonly #maintain: MaintainDailyAggregates;
  #isDone = false;

  constructor(
    calendar: Calendar,
    stations: StationStore,
    aggregates: DailyAggregateStore,
    maintain: MaintainDailyAggregates,
  ) {
    this.#calendar = calendar;
    this.#stations = stations;
    this.#aggregates = aggregates;
    this.#maintain = maintain;
  }

  /**
   * Renews the aggregates of all stations. After a complete run, further calls do nothing.
   *
   * @param report called before the first aggregate, whenever `REPORTED` more aggregates are done, and after the last aggregate;
   *   not called if no aggregate is outdated
   */
  async execute(report: (renewal: Renewal) => void, signal?: AbortSignal): Promise<void> {
    if (this.#isDone) return;
    const outdated = await this.#aggregates.outdated(COMPUTATION_RULES);
    const total = outdated.reduce((sum, { count }) => sum + count, 0);
    if (total > 0) {
      report({ total, done: 0 });
      const stations = new Map((await this.#stations.list()).map((station) => [station.number, station]));
      let [done, reported] = [0, 0];
      await workThrough(
        outdated,
        async ({ station: number, from, to, count }) => {
          const station = stations.get(number);
          if (station !== undefined && station.damaged === undefined) {
            const months = this.#calendar.buckets('month', station.timeZone, 0, from, to);
            await this.#maintain.compute(station, months, signal);
          }
          if (signal?.aborted === true) return;
          done += count;
          if (done - reported < REPORTED && done < total) return;
          reported = done;
          report({ total, done });
        },
        signal,
      );
    }
    this.#isDone = signal?.aborted !== true;
  }
}
