import type { CommitQueue } from '../ingest/commit-queue.js';

/**
 * Age of the oldest new change, in milliseconds, from which a round of the feed does not wait for writes. A change is up to 50 ms old when
 * its round begins.
 */
const MAX_AGE = 80;

/**
 * Lets writes of observations finish before a round of the feed continues. Otherwise the reads and the deliveries of the round would take
 * processor time from the thread that writes, and the reply to a write would wait for them.
 */
export class WritesFirst {
  readonly #writes: Pick<CommitQueue, 'untilIdle'>;
  /** Time of the oldest change that no round has begun to send, as in `performance.now`. */
  #oldest: number | undefined;
  /** Time until which the present round may wait. */
  #deadline = 0;

  constructor(writes: Pick<CommitQueue, 'untilIdle'>) {
    this.#writes = writes;
  }

  /** Must be called for each new change. */
  noteChange(): void {
    this.#oldest ??= performance.now();
  }

  beginRound(): void {
    this.#deadline = (this.#oldest ?? -Infinity) + MAX_AGE;
    this.#oldest = undefined;
  }

  /** Waits until no write is in progress, unless the changes of the round are too old. */
  async wait(): Promise<void> {
    const limit = this.#deadline - performance.now();
    if (limit > 0) await this.#writes.untilIdle(limit);
  }
}
