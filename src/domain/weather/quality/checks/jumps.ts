import { MILLISECONDS } from '#domain/time.js';
import type { StepLimit } from '../../variables.js';
import { allowedStep } from './limits.js';
import type { QcSeries } from './qc-series.js';

/** Two opposite changes of this share of a step, one after the other, are a spike. */
export const SPIKE_SHARE = 0.75;
/** Share of the allowed step by which a jump counts less if the value changes alike before or after it. */
const RAMP_SHARE = 1;
/** Longest time in milliseconds between two values whose change is compared with the next one. */
export const RAMP_REACH = 3 * MILLISECONDS.hour;
/** Hours up to which the allowed change between two values grows. */
const MAX_GROWTH = 12;

/** What else is known of the time of a change. */
export interface Evidence {
  /**
   * The change between two rows that another variable of the station explains; 0 if there is none. If the air warms and its vapour
   * stays, the relative humidity falls.
   */
  readonly explained: (before: number, after: number) => number;
  /** The number, at least 1, by which the allowed change is multiplied because other variables show the weather that makes such changes. */
  readonly leniency: (from: number, to: number, change: number) => number;
  /** Whether stations nearby had such a change too. */
  readonly confirmed: (from: number, to: number, change: number) => boolean;
}

/** The changes of a trace that may be too large, because of which each may be a fault. */
export class Jumps {
  /** Indices of the values after a change. */
  readonly at: readonly number[];
  readonly #trace: QcSeries;
  readonly #limit: StepLimit;
  readonly #evidence: Evidence;
  readonly #sizes: Float64Array;

  constructor(trace: QcSeries, limit: StepLimit, evidence: Evidence) {
    this.#trace = trace;
    this.#limit = limit;
    this.#evidence = evidence;
    this.at = largeChanges(trace, limit);
    this.#sizes = new Float64Array(this.at.length).fill(Number.NaN);
  }

  /** How large a change is, as a multiple of what is allowed. @param which index in `at` */
  size(which: number): number {
    const known = this.#sizes[which] as number;
    if (!Number.isNaN(known)) return known;
    return (this.#sizes[which] = this.sizeAt(this.at[which] as number));
  }

  /** Whether the change rises. @param which index in `at` */
  rises(which: number): boolean {
    const index = this.at[which] as number;
    const { values } = this.#trace;
    return (values[index] as number) > (values[index - 1] as number);
  }

  /** Milliseconds since 1970-01-01T00:00:00Z. */
  timeAt(index: number): number {
    return this.#trace.times[index] as number;
  }

  /** The absolute change of a value from the value before it, as a multiple of what is allowed. */
  relativeChange(index: number): number {
    const { times, values } = this.#trace;
    const elapsed = (times[index] as number) - (times[index - 1] as number);
    return (
      Math.abs((values[index] as number) - (values[index - 1] as number)) /
      allowedChange(this.#limit, elapsed)
    );
  }

  /** Whether two values with others between them can both be right: the allowed change grows with the hours. */
  areCompatible(earlier: number, later: number, factor: number): boolean {
    const { times, values } = this.#trace;
    const change = Math.abs((values[later] as number) - (values[earlier] as number));
    const elapsed = (times[later] as number) - (times[earlier] as number);
    return change <= factor * allowedStep(this.#limit, elapsed) * hoursOf(elapsed);
  }

  /** How large the change of a value from the one before it is, as a multiple of what is allowed. */
  sizeAt(index: number): number {
    const { times, values, rows } = this.#trace;
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

  /** The part of a change that the change before or after it does not continue. @param index the value after that change */
  #beyondRamp(change: number, elapsed: number, index: number): number {
    const { times, values } = this.#trace;
    if (index < 1 || index >= times.length) return Infinity;
    const other = (times[index] as number) - (times[index - 1] as number);
    if (other > RAMP_REACH) return Infinity;
    const slope = ((values[index] as number) - (values[index - 1] as number)) / other;
    return Math.abs(change - slope * elapsed);
  }
}

/** The largest change between two values that follow each other. From an hour on it grows with the root of the time. */
function allowedChange(limit: StepLimit, elapsed: number): number {
  return allowedStep(limit, elapsed) * Math.sqrt(hoursOf(elapsed));
}

function hoursOf(elapsed: number): number {
  return Math.min(MAX_GROWTH, Math.max(1, elapsed / MILLISECONDS.hour));
}

function largeChanges({ times, values }: QcSeries, limit: StepLimit): number[] {
  const found: number[] = [];
  let elapsed = Number.NaN;
  let least = 0;
  for (let index = 1; index < times.length; index += 1) {
    const now = (times[index] as number) - (times[index - 1] as number);
    if (now !== elapsed) {
      elapsed = now;
      least = SPIKE_SHARE * allowedChange(limit, elapsed);
    }
    const change = (values[index] as number) - (values[index - 1] as number);
    if (change > least || change < -least) found.push(index);
  }
  return found;
}
