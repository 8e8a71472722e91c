/**
 * Maximum time in milliseconds for which a write merges before it writes its own rows. A merge moves the rows of earlier commits
 * into larger blobs.
 */
const MAX_CATCH_UP = 500;
/**
 * Minimum time in milliseconds for which a write merges (moves the rows of earlier commits into larger blobs). If a write would
 * have to merge for a shorter time, it does not merge, and this time is left to a later write.
 */
const MIN_CATCH_UP = 50;

/**
 * Computes for how long a write must merge before it writes its own rows. A merge moves rows from runs, which have rows of one
 * commit each, into larger blobs. The number of runs is limited because runs need memory in every thread, and because a write of
 * late rows searches all runs.
 *
 * The load says how many runs are waiting. At a load of 1, their number or their memory has reached its limit:
 *
 * - Below a load of 2, a write does not merge.
 * - At a load of 2, a write merges for twice the time that writing takes.
 * - At a load of 3, a write merges for four times the time that writing takes.
 */
export class MergeDebt {
  /**
   * Milliseconds that writes have taken (`#written`) and that merges have taken (`#merged`), since `take` last set both to 0. A
   * merge moves the rows of earlier commits into larger blobs.
   */
  #written = 0;
  #merged = 0;

  wrote(milliseconds: number): void {
    this.#written += milliseconds;
  }

  merged(milliseconds: number): void {
    this.#merged += milliseconds;
  }

  /**
   * Returns for how many milliseconds the next write merges (moves rows of earlier commits into larger blobs) before it writes
   * its own rows. A time of at most `MIN_CATCH_UP` milliseconds is left to a later call.
   *
   * @param load the result of `load` of run-levels.ts
   */
  take(load: number): number {
    const owed = load < 2 ? 0 : this.#written * 2 * (load - 1) - this.#merged;
    if (load >= 2 && owed <= MIN_CATCH_UP) return 0;
    this.#written = this.#merged = 0;
    return Math.min(owed, MAX_CATCH_UP);
  }
}
