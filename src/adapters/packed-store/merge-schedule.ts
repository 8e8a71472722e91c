import { MILLISECONDS } from '#domain/time.js';

/**
 * The progress of a merge. A merge moves rows from runs (rows of single commits) into larger pieces, in the end into chunks (rows
 * of whole days of one station). Of two positions, the position with the higher `run` is further; if `run` is the same, the
 * position with more `stations`.
 */
export interface MergePosition {
  /**
   * SQLite: id of the oldest run that is not merged; if all are merged, the id of the next run. PostgreSQL: number of finished
   * blocks (groups of 64 stations).
   */
  readonly run: number;
  /** Number of merged stations: with SQLite in the current merge, with PostgreSQL in the current block. */
  readonly stations: number;
}

/**
 * `all` merges all rows into chunks (rows of whole days of one station). `due` merges only the blocks (groups of 64 stations)
 * that the store selects.
 */
export type MergeScope = 'due' | 'all';

/** Pauses and time limits of merging, in milliseconds. */
export interface MergeTimes {
  /** Time from the end of a merge to the next merge, if no write requests a merge earlier. */
  readonly interval: number;
  /** Time from the start of the service, or from a failed merge, to the next merge. It is doubled after each further failure. */
  readonly retry: number;
  /**
   * Longest time until the next merge after failures. The time is `retry` after the first failure, and doubles with each further
   * failure.
   */
  readonly maxRetry: number;
  /** A merge without progress for this time is reported as a defect. */
  readonly stall: number;
}

export const MERGE_TIMES: MergeTimes = {
  interval: MILLISECONDS.hour,
  retry: 1000,
  maxRetry: 300_000,
  stall: 600_000,
};

/**
 * Schedules merges, which move rows from runs (rows of single commits) into larger pieces, in the end into chunks (rows of whole
 * days of one station). A merge begins:
 *
 * - soon after the start of the service
 * - when a write finds many runs
 * - an hour after the last merge, so that the last rows do not wait for the next write
 * - after a failed merge, with a growing pause
 *
 *     start   retry             interval                     write           interval
 *     |-------------[merge]------------------[merge]---------[merge]-------------------[merge]
 *
 *     failures          1 s          2 s                 4 s, up to 300 s
 *     ----------[merge]-----[merge]----------[merge]--------------------[merge]
 */
export class MergeSchedule {
  readonly #mergeSome: (scope: MergeScope) => Promise<MergePosition | undefined>;
  readonly #times: MergeTimes;
  #timer: NodeJS.Timeout | undefined;
  #running: { readonly scope: MergeScope; readonly done: Promise<void> } | undefined;
  #failures = 0;
  #reason: string | undefined;
  /** Time of `performance.now` at the last progress of the current merge. */
  #progressAt = 0;
  #stopped = false;

  /**
   * @param mergeSome merges some stations and returns the progress; undefined if nothing is left. Other operations of the writing
   *   thread run between two calls.
   */
  constructor(mergeSome: (scope: MergeScope) => Promise<MergePosition | undefined>, times = MERGE_TIMES) {
    this.#mergeSome = mergeSome;
    this.#times = times;
    this.#wait(times.retry);
  }

  /**
   * A sentence that describes a defect of merging; undefined if there is none. A long duration is not a defect, because during a
   * long import merges may follow each other for hours.
   */
  get defect(): string | undefined {
    if (this.#reason !== undefined) return `merging fails: ${this.#reason}`;
    const isLate = performance.now() - this.#progressAt >= this.#times.stall;
    return this.#running !== undefined && isLate ? 'merging makes no progress' : undefined;
  }

  /** Starts a merge, unless a merge is running or the last merge failed. After a failure, only the timer starts the next merge. */
  request(): void {
    if (this.#running === undefined && this.#failures === 0) void this.run('due');
  }

  /** Starts a merge, or waits for the running merge. Resolves when the merge has ended or failed. Never rejects. */
  async run(scope: MergeScope): Promise<void> {
    if (scope === 'all') while (this.#running?.scope === 'due') await this.#running.done;
    if (this.#stopped) return this.#running?.done;
    this.#running ??= { scope, done: this.#merge(scope).finally(() => (this.#running = undefined)) };
    return this.#running.done;
  }

  /**
   * Stops merging. Resolves when the current call of `mergeSome` has ended. Merging continues after the next start of the service.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running?.done;
  }

  async #merge(scope: MergeScope): Promise<void> {
    clearTimeout(this.#timer);
    const { interval, retry, maxRetry } = this.#times;
    try {
      await this.#mergeAll(scope);
      this.#failures = 0;
      this.#reason = undefined;
      this.#wait(interval);
    } catch (error) {
      this.#reason = describe(error);
      this.#wait(Math.min(retry * 2 ** this.#failures, maxRetry), scope);
      this.#failures += 1;
    }
  }

  async #mergeAll(scope: MergeScope): Promise<void> {
    this.#progressAt = performance.now();
    // The position of the merge can go back: if the transaction of another operation is rolled back, the merge starts again from
    // its beginning. Work that is only repeated is no progress. Therefore only a position beyond the furthest position so far
    // counts as progress.
    let furthest: MergePosition = { run: -1, stations: 0 };
    for (;;) {
      const place = await this.#mergeSome(scope);
      if (place === undefined || this.#stopped) return;
      if (place.run < furthest.run || (place.run === furthest.run && place.stations <= furthest.stations))
        continue;
      furthest = place;
      this.#progressAt = performance.now();
    }
  }

  #wait(milliseconds: number, scope: MergeScope = 'due'): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.run(scope), milliseconds).unref();
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
