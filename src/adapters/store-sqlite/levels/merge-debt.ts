/** Longest time, in milliseconds, for which a write merges before it writes. */
const MAX_CATCH_UP = 500;
/** Shortest such time. */
const MIN_CATCH_UP = 50;

/**
 * Decides for how long a write merges before it writes, if there are too many runs: at twice the limit merging takes
 * twice as long as writing, at three times the limit four times as long, and so on. Runs are in the memory of every
 * thread, and late rows search all of them.
 */
export class MergeDebt {
  /** Milliseconds that writes and merges have taken since the last `take` that did not return 0. */
  #written = 0;
  #merged = 0;

  wrote(milliseconds: number): void {
    this.#written += milliseconds;
  }

  merged(milliseconds: number): void {
    this.#merged += milliseconds;
  }

  /** @returns milliseconds of merging, or 0. @param load as the function of the same name returns it */
  take(load: number): number {
    const owed = load < 2 ? 0 : this.#written * 2 * (load - 1) - this.#merged;
    if (load >= 2 && owed <= MIN_CATCH_UP) return 0;
    this.#written = this.#merged = 0;
    return Math.min(owed, MAX_CATCH_UP);
  }
}
