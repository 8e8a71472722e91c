import { say } from '../files/sentences.js';
import type { FaultReason } from './read-notes.js';
import type { CounterReset } from '../files/file-plan.js';

/**
 * If a running total falls to at most this level, in mm, the fall counts as a reset, even at a time at which the counter does not
 * reset itself.
 */
const LOW = 0.5;
/**
 * Smallest fall, in mm, that may be a fault of one reading. It is a fault if the next reading is at least as high as the reading
 * before the fall.
 */
const GLITCH = 10;

/** The amount between two readings of a counter. */
export interface CountedAmount {
  /** The amount in the unit of the counter; NaN if it is unknown. */
  readonly value: number;
  /** The message for the user. */
  readonly fault?: FaultReason;
}

/**
 * Calculates amounts from the readings of a running total, in rising order of time:
 *
 * - The first reading has no amount, because the time at which its rain fell is unknown.
 * - A rise is the amount since the previous reading, however long ago that reading was.
 * - A fall is a reset if the counter is due (its day, week, month or year has ended in between), or if the new level is at
 *   most 0.5 mm. The new level is the amount.
 * - Any other fall has no amount. It is reported, and the counter continues from the new level.
 * - If the reading after a fall of at least 10 mm without a due reset is at least as high as the reading before the fall, the
 *   reading in between was wrong. The amount is then the difference between the readings before and after the wrong reading.
 */
export class RunningCounter {
  readonly #resets: CounterReset;
  /** The limits `LOW` and `GLITCH` in the unit of the counter. */
  readonly #low: number;
  readonly #glitch: number;
  readonly #dateOf: (time: number) => string;
  #level = Number.NaN;
  #time = -Infinity;
  /**
   * The reading before the last reading, if the last reading was lower by at least 10 mm although no reset was due; NaN
   * otherwise.
   */
  #before = Number.NaN;

  /**
   * @param perMillimeter number of units of the counter in a millimeter
   * @param dateOf the local date of an instant: `2024-02-29`
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

  /** Returns the amount between the previous reading and this reading. */
  next(time: number, level: number): CountedAmount {
    if (time <= this.#time) {
      return {
        value: Number.NaN,
        fault: say('total-order', {}),
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
    return { value: Number.NaN, fault: say('total-falls', { last, level }) };
  }

  /** Whether a day, week, month or year has ended between two times. */
  #isDue(from: number, to: number): boolean {
    if (this.#resets === 'never') return false;
    const [first, second] = [this.#dateOf(from), this.#dateOf(to)];
    // A weekly counter is due at every change of the date, because a week may begin on any day.
    if (this.#resets === 'day' || this.#resets === 'week') return first !== second;
    const length = this.#resets === 'month' ? 7 : 4;
    return first.slice(0, length) !== second.slice(0, length);
  }
}

/** Removes the rounding error of the subtraction: 300.6 - 300.3 is 0.3. */
function clean(value: number): number {
  // Zero is returned at once to save time, because there is no rain between most readings.
  return value === 0 ? 0 : Number(value.toFixed(9));
}
