import { backOff } from '#application/back-off.js';

/** Milliseconds until a process is started again. Doubled with each further failure. */
const FIRST_DELAY = 200;
const MAX_DELAY = 30_000;
/** A process that has served for this time, in milliseconds, has not failed at its start. */
const SOUND_AFTER = 10_000;

/** The delays between the starts of a process that ends. */
export class BackOff {
  #failures = 0;

  /**
   * @param served milliseconds for which the process has served
   * @returns milliseconds until the next start
   */
  next(served: number): number {
    if (served >= SOUND_AFTER) this.#failures = 0;
    this.#failures += 1;
    return backOff(this.#failures, MAX_DELAY, () => 0, FIRST_DELAY);
  }
}
