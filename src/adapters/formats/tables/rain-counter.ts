import type { CounterReset } from '../files/file-plan.js';

/** The highest level, in mm, to which a counter is believed to be reset when it is not due for it. */
const LOW = 0.5;
/** The least fall, in mm, that is a fault of one reading if the next reading makes up for it. */
const GLITCH = 10;

/** The amount between two readings. */
export interface CountedAmount {
  /** In the unit of the counter; NaN where it is not known. */
  readonly value: number;
  /** What the user is told. */
  readonly fault?: string;
}

/**
 * Amounts between the readings of a running total, in rising order of time:
 *
 * - The first reading has no amount: it is not known when it fell.
 * - A rise is the amount since the reading before, however long ago that was.
 * - A fall is a reset if the counter is due (its day, week, month or year has ended in between), or if the new level is at
 *   most 0.5 mm. The new level is the amount.
 * - Any other fall has no amount, which is told, and the counter goes on from the new level.
 * - If the reading behind a fall of at least 10 mm that was not due is no lower than the one before the fall, then one reading
 *   was wrong: the amount is the difference of the two around it.
 */
export class RunningCounter {
  readonly #resets: CounterReset;
  /** In the unit of the counter. */
  readonly #low: number;
  readonly #glitch: number;
  readonly #dateOf: (time: number) => string;
  #level = Number.NaN;
  #time = -Infinity;
  /** The level before the fall that the last reading has brought; NaN where that was no such fall. */
  #before = Number.NaN;

  /**
   * @param perMillimeter how many of its units are a millimeter
   * @param dateOf the local date of a time: `2024-02-29`
   */
  constructor(resets: CounterReset, perMillimeter: number, dateOf: (time: number) => string) {
    this.#resets = resets;
    this.#low = LOW * perMillimeter;
    this.#glitch = GLITCH * perMillimeter;
    this.#dateOf = dateOf;
  }

  /** The time of the last reading; -Infinity before the first. */
  get time(): number {
    return this.#time;
  }

  /** The amount up to a reading. */
  next(time: number, level: number): CountedAmount {
    if (time <= this.#time) {
      return {
        value: Number.NaN,
        fault: 'is not later than the row before it: the running total has no amount',
      };
    }
    const [before, last, lastTime] = [this.#before, this.#level, this.#time];
    this.#before = Number.NaN;
    this.#level = level;
    this.#time = time;
    if (Number.isNaN(last)) return { value: Number.NaN };
    if (level >= before) return { value: clean(level - before) };
    if (level >= last) return { value: clean(level - last) };
    const isDue = this.#isDue(lastTime, time);
    if (!isDue && last - level >= this.#glitch) this.#before = last;
    if (isDue || level <= this.#low) return { value: level };
    return { value: Number.NaN, fault: `falls from ${last} to ${level} without being due: it has no amount` };
  }

  /** Whether a day, week, month or year has ended between two times. */
  #isDue(from: number, to: number): boolean {
    if (this.#resets === 'never') return false;
    const [first, second] = [this.#dateOf(from), this.#dateOf(to)];
    // A week may begin on any day.
    if (this.#resets === 'day' || this.#resets === 'week') return first !== second;
    const length = this.#resets === 'month' ? 7 : 4;
    return first.slice(0, length) !== second.slice(0, length);
  }
}

/** Without the noise of the subtraction: 300.6 - 300.3 is 0.3. */
function clean(value: number): number {
  // Between most readings it does not rain.
  return value === 0 ? 0 : Number(value.toFixed(9));
}
