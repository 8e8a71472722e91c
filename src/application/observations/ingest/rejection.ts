import { EARLIEST_ROW, MILLISECONDS } from '#domain/time.js';

/** The part of a row that is the reason for its rejection. */
export type RejectionReason = 'station' | 'time' | 'variable' | 'value' | 'row';

/** One reason why a received row cannot be stored. A row may have several reasons. */
export interface Rejection {
  /** Index of the row among all received rows, from 0. */
  readonly row: number;
  readonly reason: RejectionReason;
  /** Number of the variable if the variable or its value is the reason; otherwise 0. */
  readonly variable: number;
  /** Predicate of the message, which follows the name of the field: `is in the future`. */
  readonly text: string;
}

/** Maximum number of rejections that a receipt lists. All rejected rows are counted. */
export const MAX_REJECTIONS = 1000;

/** Collects rejections and keeps those with the lowest row numbers. Batches may finish in any order. */
export class FirstRejections {
  readonly #limit: number;
  #found: Rejection[] = [];

  constructor(limit = MAX_REJECTIONS) {
    this.#limit = limit;
  }

  add(rejection: Rejection): void {
    this.#found.push(rejection);
    if (this.#found.length >= 4 * this.#limit) this.#found = this.inOrder();
  }

  /**
   * Adds rejections of a batch, up to the limit.
   *
   * @param rejections in the order of their rows
   * @param first index of the first row of the batch among all rows
   */
  addAll(rejections: Iterable<Rejection>, first = 0): void {
    let added = 0;
    for (const rejection of rejections) {
      if (added === this.#limit) return;
      this.add({ ...rejection, row: first + rejection.row });
      added += 1;
    }
  }

  /** @returns the rejections in the order of their rows. Several reasons of a row keep the order in which they were added */
  inOrder(): Rejection[] {
    return this.#found.toSorted((a, b) => a.row - b.row).slice(0, this.#limit);
  }
}

/** Yields the first reason of each row. */
export function* firstReasons(rejections: Iterable<Rejection>): Generator<Rejection> {
  const seen = new Set<number>();
  for (const rejection of rejections) {
    if (!seen.has(rejection.row)) yield rejection;
    seen.add(rejection.row);
  }
}

/** Maximum time, in milliseconds, by which a row may be later than the clock of the service. */
export const MAX_AHEAD = 10 * MILLISECONDS.minute;

/**
 * The fault of a time that is out of range, as the predicate of a message.
 *
 * @param now milliseconds since 1970-01-01T00:00:00Z
 */
export function rowTimeFault(time: number, now: number): string {
  if (Number.isNaN(time)) return 'is not a time';
  return time > now ? 'is in the future' : 'is before 1600';
}

/**
 * Returns a function that checks the time of a row. This function returns the fault, or undefined if the time is allowed.
 *
 * @param now milliseconds since 1970-01-01T00:00:00Z
 */
export function rowTimeRule(now: number): (time: number) => string | undefined {
  return (time) => (time >= EARLIEST_ROW && time <= now + MAX_AHEAD ? undefined : rowTimeFault(time, now));
}
