import { MILLISECONDS } from '#domain/time.js';
import type { ObservedTimes } from '#domain/weather/station-history.js';
import type { FilePlan } from '../files/file-plan.js';
import type { Fields } from './line-fields.js';
import { cellText } from './row-conditions.js';

/** Largest gap in milliseconds between two days with the same time that belong to one period. */
const MAX_GAP = 31 * MILLISECONDS.day;
/** A time in a file: `0700`, `2400`. Files of years also omit the leading zero. */
const TIME = /^(?:0?\d|1\d|2[0-3])[0-5]\d$|^2400$/;

/** Days after one another whose values were read at one time of day. */
type Run = { -readonly [K in keyof ObservedTimes]: ObservedTimes[K] };

/**
 * Collects the times of day at which the daily values of a file were read (`FilePlan.observationTime`), as periods for each
 * station. The memory depends on the number of periods, not on the number of rows.
 */
export class ObservationTimes {
  readonly #plan: FilePlan;
  /** The periods of a station in order of time, and the index of the period of its previous row. */
  readonly #stations = new Map<string, { readonly runs: Run[]; last: number }>();

  constructor(plan: FilePlan) {
    this.#plan = plan;
  }

  /** Reads the time of observation of a row. If an earlier row of the same day has a time, nothing changes. @param end end of the day */
  read(fields: Fields, station: string, end: number): void {
    const {
      observationTime: where,
      time: { interval = 0 },
    } = this.#plan;
    if (where === undefined) return;
    for (const at of where.at) {
      const text = cellText(fields, at);
      const part = where.part === undefined ? text : (text.split(',')[where.part] ?? '');
      if (!TIME.test(part)) continue;
      const time = part.padStart(4, '0');
      this.#add(station, end - interval * MILLISECONDS.second, end, `${time.slice(0, 2)}:${time.slice(2)}`);
      return;
    }
  }

  /** The periods of each station, in order of time. */
  *stations(): Generator<readonly [station: string, observed: readonly ObservedTimes[]]> {
    for (const [station, { runs }] of this.#stations) yield [station, runs];
  }

  #add(station: string, from: number, until: number, dailyObservationTime: string): void {
    let known = this.#stations.get(station);
    if (known === undefined) this.#stations.set(station, (known = { runs: [], last: 0 }));
    const { runs } = known;
    // Rows are mostly in order of time, so the search begins at the period of the previous row.
    let at = Math.min(known.last, runs.length);
    while (at > 0 && from < (runs[at - 1] as Run).until) at -= 1;
    while (at < runs.length && (runs[at] as Run).until <= from) at += 1;
    // The run at `at` is the first one that ends after the start of the day.
    const [before, next] = [runs[at - 1], runs[at]];
    known.last = at;
    if (next !== undefined && next.from < until) return;
    const joinsBefore =
      before?.dailyObservationTime === dailyObservationTime && from - before.until <= MAX_GAP;
    const joinsNext = next?.dailyObservationTime === dailyObservationTime && next.from - until <= MAX_GAP;
    if (joinsBefore) before.until = joinsNext ? next.until : until;
    else if (joinsNext) next.from = from;
    else runs.splice(at, 0, { from, until, dailyObservationTime });
    if (joinsBefore && joinsNext) runs.splice(at, 1);
  }
}
