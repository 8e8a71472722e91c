/** Maximum time in milliseconds for which a write merges before it writes. */
const MAX_CATCH_UP = 500;
/** Minimum time in milliseconds for which a write merges. If less time is due, a later write merges. */
const MIN_CATCH_UP = 50;

/**
 * Computes how long a write merges runs before it writes. Below a load of 2 (twice the limit of runs), a write does not merge. At
 * a load of 2, merging takes twice as long as writing; at a load of 3, it takes four times as long. The number of runs is limited
 * because runs need memory in every thread, and because late rows search all runs.
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

  /** Returns the milliseconds for which the next write merges, and resets the debt. @param load the result of `load` of run-levels.ts */
  take(load: number): number {
    const owed = load < 2 ? 0 : this.#written * 2 * (load - 1) - this.#merged;
    if (load >= 2 && owed <= MIN_CATCH_UP) return 0;
    this.#written = this.#merged = 0;
    return Math.min(owed, MAX_CATCH_UP);
  }
}
