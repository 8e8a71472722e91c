import { backOff } from '#application/back-off.js';

/** Delay until the first restart of a process, in milliseconds. The delay doubles with each further failure. */
const FIRST_DELAY = 200;
const MAX_DELAY = 30_000;
/** If a process has served for this time, in milliseconds, its earlier failures no longer count. */
const STARTED_AFTER = 10_000;

/** Computes the delay before each restart of a process. */
export class RestartDelays {
  #failures = 0;

  /**
   * The delay until the next start.
   *
   * @param served milliseconds for which the process has served
   * @returns milliseconds until the next start
   */
  next(served: number): number {
    if (served >= STARTED_AFTER) this.#failures = 0;
    this.#failures += 1;
    return backOff(this.#failures, MAX_DELAY, () => 0, FIRST_DELAY);
  }
}
