import { MILLISECONDS } from '#domain/time.js';
import type { StepLimit } from '../../variables.js';
import { allowedStep } from './gross-limits.js';
import type { QcSeries } from './qc-series.js';

/** Two consecutive changes in opposite directions are a spike if each of them exceeds this share of the allowed change. */
export const SPIKE_SHARE = 0.75;
/**
 * A large change may continue the change before or after it, for example in a steady fall of temperature. The part of the change
 * that was to be expected from the other change is then subtracted, but at most this share of the allowed change.
 */
const RAMP_SHARE = 1;
/**
 * A change is compared with the changes before and after it. This is the longest time in milliseconds between the two values of
 * such a neighboring change.
 */
export const RAMP_REACH = 3 * MILLISECONDS.hour;
/** The allowed change between two values grows with the hours between them, up to this number of hours. */
const MAX_GROWTH = 12;

/** Other data that can show that a large change is not a fault. */
export interface Evidence {
  /** The part of the change between two rows that another variable of the station explains (`explainedChanges`). */
  readonly explained: (before: number, after: number) => number;
  /** The allowed change is multiplied by this factor: more than 1 if other variables show weather that causes such changes. */
  readonly leniency: (from: number, to: number, change: number) => number;
  /** Whether nearby stations had a similar change. */
  readonly confirmed: (from: number, to: number, change: number) => boolean;
}

/**
 * The large changes between consecutive values of a QC series, which contains the values of one variable (see `QcSeries`). Each
 * of these changes may be a fault.
 */
export class Jumps {
  /** Indices of the values directly after a large change. */
  readonly at: readonly number[];
  readonly #series: QcSeries;
  readonly #limit: StepLimit;
  readonly #evidence: Evidence;
  readonly #sizes: Float64Array;

  constructor(qcSeries: QcSeries, limit: StepLimit, evidence: Evidence) {
    this.#series = qcSeries;
    this.#limit = limit;
    this.#evidence = evidence;
    this.at = largeChanges(qcSeries, limit);
    this.#sizes = new Float64Array(this.at.length).fill(Number.NaN);
  }

  /** The size of a change as a multiple of the allowed change (`sizeAt`), cached. @param which index in `at` */
  size(which: number): number {
    const known = this.#sizes[which] as number;
    if (!Number.isNaN(known)) return known;
    return (this.#sizes[which] = this.sizeAt(this.at[which] as number));
  }

  /** Whether the change is an increase. @param which index in `at` */
  rises(which: number): boolean {
    const index = this.at[which] as number;
    const { values } = this.#series;
    return (values[index] as number) > (values[index - 1] as number);
  }

  /**
   * The time of a value in milliseconds since 1970-01-01T00:00:00Z.
   *
   * @param index index of the value in the series of this class
   */
  timeAt(index: number): number {
    return this.#series.times[index] as number;
  }

  /** The absolute change of a value from the value before it, as a multiple of the allowed change. */
  relativeChange(index: number): number {
    const { times, values } = this.#series;
    const elapsed = (times[index] as number) - (times[index - 1] as number);
    return (
      Math.abs((values[index] as number) - (values[index - 1] as number)) /
      allowedChange(this.#limit, elapsed)
    );
  }

  /** Whether two values that are not consecutive can both be right. The allowed change grows with the hours between them. */
  areCompatible(earlier: number, later: number, factor: number): boolean {
    const { times, values } = this.#series;
    const change = Math.abs((values[later] as number) - (values[earlier] as number));
    const elapsed = (times[later] as number) - (times[earlier] as number);
    return change <= factor * allowedStep(this.#limit, elapsed) * hoursOf(elapsed);
  }

  /**
   * The size of the change of a value from the value before it, as a multiple of the allowed change. The size is reduced if the
   * change continues a change before or after it, if another variable explains it, if the weather makes large changes likely, or
   * if nearby stations had a similar change.
   */
  sizeAt(index: number): number {
    const { times, values, rows } = this.#series;
    const [from, to] = [times[index - 1] as number, times[index] as number];
    const change = (values[index] as number) - (values[index - 1] as number);
    const allowed = allowedChange(this.#limit, to - from);
    const explained = this.#evidence.explained(rows[index - 1] as number, rows[index] as number);
    const size =
      Math.min(
        Math.max(
          Math.min(
            Math.abs(change),
            this.#beyondRamp(change, to - from, index - 1),
            this.#beyondRamp(change, to - from, index + 1),
          ),
          Math.abs(change) - RAMP_SHARE * allowed,
        ),
        Math.abs(change - explained),
      ) / allowed;
    if (size <= SPIKE_SHARE) return size;
    if (this.#evidence.confirmed(from, to, change)) return 0;
    return size / this.#evidence.leniency(from, to, change);
  }

  /**
   * The part of a change that does not continue a neighboring change, which is the change before or after it. For example, if the
   * temperature falls by 2 °C in each hour, the fall of one hour continues the fall of the hour before. The rate of the
   * neighboring change, multiplied by `elapsed`, is subtracted from the change.
   *
   * The result is Infinity if there is no neighboring change, or if its two values are more than `RAMP_REACH` apart. The caller
   * uses the smallest of several numbers, so Infinity has no effect.
   *
   * @param index index of the second value of the neighboring change
   */
  #beyondRamp(change: number, elapsed: number, index: number): number {
    const { times, values } = this.#series;
    if (index < 1 || index >= times.length) return Infinity;
    const other = (times[index] as number) - (times[index - 1] as number);
    if (other > RAMP_REACH) return Infinity;
    const slope = ((values[index] as number) - (values[index - 1] as number)) / other;
    return Math.abs(change - slope * elapsed);
  }
}

/** The allowed change between two consecutive values. Beyond an hour the allowed change grows with the square root of the time. */
function allowedChange(limit: StepLimit, elapsed: number): number {
  return allowedStep(limit, elapsed) * Math.sqrt(hoursOf(elapsed));
}

function hoursOf(elapsed: number): number {
  return Math.min(MAX_GROWTH, Math.max(1, elapsed / MILLISECONDS.hour));
}

function largeChanges({ times, values }: QcSeries, limit: StepLimit): number[] {
  const indices: number[] = [];
  let elapsed = Number.NaN;
  let minimum = 0;
  for (let index = 1; index < times.length; index += 1) {
    const now = (times[index] as number) - (times[index - 1] as number);
    if (now !== elapsed) {
      elapsed = now;
      minimum = SPIKE_SHARE * allowedChange(limit, elapsed);
    }
    const change = (values[index] as number) - (values[index - 1] as number);
    if (change > minimum || change < -minimum) indices.push(index);
  }
  return indices;
}
