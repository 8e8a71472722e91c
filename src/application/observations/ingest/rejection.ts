import { EARLIEST_ROW, MILLISECONDS } from '#domain/time.js';

/** The part of a row that is the reason for its rejection. */
export type RejectionReason = 'station' | 'time' | 'variable' | 'value' | 'row';

/** A sent row that cannot be stored, with one reason. A row may have several. */
export interface Rejection {
  /** Index of the row among all sent rows, from 0. */
  readonly row: number;
  readonly reason: RejectionReason;
  /** Number of the variable where it, or its value, is the reason; otherwise 0. */
  readonly variable: number;
  /** Follows the name of the field in a message: `lies in the future`. */
  readonly text: string;
}

/** Largest number of rejections that a receipt lists. All rejected rows are counted. */
export const MAX_REJECTIONS = 1000;

/** The rejections with the lowest rows. Batches may finish in any order. */
export class FirstRejections {
  readonly #most: number;
  #found: Rejection[] = [];

  constructor(most = MAX_REJECTIONS) {
    this.#most = most;
  }

  add(rejection: Rejection): void {
    this.#found.push(rejection);
    if (this.#found.length >= 4 * this.#most) this.#found = this.inOrder();
  }

  /** Adds the first rejections of a batch. @param first index of the first row of the batch among all rows */
  addAll(rejections: Iterable<Rejection>, first = 0): void {
    let added = 0;
    for (const rejection of rejections) {
      if (added === this.#most) return;
      this.add({ ...rejection, row: first + rejection.row });
      added += 1;
    }
  }

  /** By row. Reasons of the same row keep the order in which they were added. */
  inOrder(): Rejection[] {
    return this.#found.toSorted((a, b) => a.row - b.row).slice(0, this.#most);
  }
}

/** One rejection for each row: its first reason. */
export function* firstReasons(rejections: Iterable<Rejection>): Generator<Rejection> {
  const seen = new Set<number>();
  for (const rejection of rejections) {
    if (!seen.has(rejection.row)) yield rejection;
    seen.add(rejection.row);
  }
}

/** Milliseconds by which the time of a row may be later than the clock of the service. */
export const MAX_AHEAD = 10 * MILLISECONDS.minute;

/** Why a time outside of these limits is refused, to be written behind it. @param now milliseconds since 1970-01-01T00:00:00Z */
export function rowTimeFault(time: number, now: number): string {
  if (Number.isNaN(time)) return 'is not a time';
  return time > now ? 'lies in the future' : 'lies before 1600';
}

/** The rule above for sources that know the text of a time: why a time is refused, if it is. @param now as above */
export function rowTimeRule(now: number): (time: number) => string | undefined {
  return (time) => (time >= EARLIEST_ROW && time <= now + MAX_AHEAD ? undefined : rowTimeFault(time, now));
}
