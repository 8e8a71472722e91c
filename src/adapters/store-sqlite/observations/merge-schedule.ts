import { MILLISECONDS } from '../../../domain/time.js';
import type { MergePlace } from './run-merger.js';

/** When merging is done where no write asks for it, in milliseconds. */
export interface MergeTimes {
  /** After the start, and from one look to the next. */
  readonly every: number;
  /** After a failure; doubled with each further one, up to `most`. */
  readonly retry: number;
  readonly most: number;
  /** A merge without progress for this time counts as stuck. */
  readonly stuck: number;
}

export const MERGE_TIMES: MergeTimes = {
  every: MILLISECONDS.hour,
  retry: 1000,
  most: 300_000,
  stuck: 600_000,
};

/**
 * Decides when runs are merged: when a write says that it is due, at the start, and every hour, so that what has been written
 * since does not wait for the next write. Not more often: merging a single row rewrites a day of its station.
 */
export class MergeSchedule {
  readonly #mergeSome: () => Promise<MergePlace | undefined>;
  readonly #times: MergeTimes;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #failures = 0;
  #reason: string | undefined;
  /** Time of the last progress of the current merge, as `performance.now` gives it. */
  #progressAt = 0;
  #stopped = false;

  /**
   * @param mergeSome merges a part of what there is, and tells how far it has come; undefined when nothing is left. Between
   *   the parts others may write.
   */
  constructor(mergeSome: () => Promise<MergePlace | undefined>, times = MERGE_TIMES) {
    this.#mergeSome = mergeSome;
    this.#times = times;
    this.#wait(times.retry);
  }

  /**
   * What is wrong with merging, in a sentence; undefined when nothing is. How long a merge takes does not matter: during a
   * long import one may follow the other for hours.
   */
  get defect(): string | undefined {
    if (this.#reason !== undefined) return `merging fails: ${this.#reason}`;
    const isLate = performance.now() - this.#progressAt >= this.#times.stuck;
    return this.#running !== undefined && isLate ? 'merging makes no progress' : undefined;
  }

  /** Merges now, unless a merge is running, or the last one failed and its next attempt is not due. */
  request(): void {
    if (this.#running === undefined && this.#failures === 0) void this.run();
  }

  /** Merges now. Resolves when it is done; rejects never. */
  run(): Promise<void> {
    this.#running ??= this.#merge().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Stops merging. Resolves when the current part is done. The next start continues with the rest. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #merge(): Promise<void> {
    clearTimeout(this.#timer);
    const { every, retry, most } = this.#times;
    try {
      await this.#mergeAll();
      this.#failures = 0;
      this.#reason = undefined;
      this.#wait(every);
    } catch (error) {
      this.#reason = describe(error);
      this.#wait(Math.min(retry * 2 ** this.#failures, most));
      this.#failures += 1;
    }
  }

  async #mergeAll(): Promise<void> {
    this.#progressAt = performance.now();
    // After another failure merging may start again from the beginning: only work beyond the furthest place counts as progress.
    let furthest: MergePlace = { run: -1, stations: 0 };
    for (;;) {
      const place = await this.#mergeSome();
      if (place === undefined || this.#stopped) return;
      if (place.run < furthest.run || (place.run === furthest.run && place.stations <= furthest.stations))
        continue;
      furthest = place;
      this.#progressAt = performance.now();
    }
  }

  #wait(milliseconds: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.run(), milliseconds).unref();
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
