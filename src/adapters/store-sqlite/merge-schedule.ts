/** When merging is done where no write asks for it, in milliseconds. */
export interface MergeTimes {
  /** After the start, and from one look to the next. */
  readonly every: number;
  /** After a failure; doubled with each further one, up to `most`. */
  readonly retry: number;
  readonly most: number;
}

export const MERGE_TIMES: MergeTimes = { every: 3_600_000, retry: 1000, most: 300_000 };

/**
 * Decides when runs are merged: when a write says that it is due, at the start, and every hour, so that what has been written
 * since does not wait for the next write. Not more often: merging a single row rewrites a day of its station.
 */
export class MergeSchedule {
  readonly #mergeAll: () => Promise<void>;
  readonly #times: MergeTimes;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #failures = 0;
  #reason: string | undefined;
  #stopped = false;

  /** @param mergeAll merges what there is; while it works writes take turns with it */
  constructor(mergeAll: () => Promise<void>, times = MERGE_TIMES) {
    this.#mergeAll = mergeAll;
    this.#times = times;
    this.#wait(times.retry);
  }

  /** Why the last merge has failed; undefined when it has not. */
  get failure(): string | undefined {
    return this.#reason;
  }

  /** Merges now, unless a merge is under way or the last one has failed: then at its time. */
  request(): void {
    if (this.#running === undefined && this.#failures === 0) void this.run();
  }

  /** Merges now. Resolves when it is done; rejects never. */
  run(): Promise<void> {
    this.#running ??= this.#merge().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Ends it. Resolves when what is under way is done. */
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

  #wait(milliseconds: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.run(), milliseconds).unref();
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
