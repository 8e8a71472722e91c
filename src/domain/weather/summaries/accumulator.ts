/** The summary of a variable over a time. Fields without a value are NaN. */
export interface Statistics {
  readonly count: number;
  readonly min: number;
  readonly minTime: number;
  readonly max: number;
  readonly maxTime: number;
  readonly mean: number;
  readonly sum: number;
}

export const NO_STATISTICS: Statistics = {
  count: 0,
  min: Number.NaN,
  minTime: Number.NaN,
  max: Number.NaN,
  maxTime: Number.NaN,
  mean: Number.NaN,
  sum: Number.NaN,
};

/**
 * Count, sum and extremes of one variable in each of several buckets. Values are added one after the other in order of time, so
 * that the sums do not depend on the batches in which the rows arrive.
 */
export class Accumulator {
  /** Count, sum, minimum and its time, maximum and its time, each with one number a bucket. */
  readonly fields: readonly Float64Array[];
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #mins: Float64Array;
  readonly #minTimes: Float64Array;
  readonly #maxs: Float64Array;
  readonly #maxTimes: Float64Array;

  constructor(buckets: number) {
    this.#counts = new Float64Array(buckets);
    this.#sums = new Float64Array(buckets);
    this.#mins = new Float64Array(buckets).fill(Infinity);
    this.#minTimes = new Float64Array(buckets).fill(Number.NaN);
    this.#maxs = new Float64Array(buckets).fill(-Infinity);
    this.#maxTimes = new Float64Array(buckets).fill(Number.NaN);
    this.fields = [this.#counts, this.#sums, this.#mins, this.#minTimes, this.#maxs, this.#maxTimes];
  }

  add(
    bucket: number,
    times: Float64Array,
    values: Float64Array,
    flags: Uint8Array | undefined,
    from: number,
    to: number,
  ): void {
    let count = 0;
    let sum = this.#sums[bucket] as number;
    let min = Infinity;
    let minRow = -1;
    let max = -Infinity;
    let maxRow = -1;
    for (let row = from; row < to; row += 1) {
      const value = values[row] as number;
      if (Number.isNaN(value) || (flags !== undefined && flags[row] !== 0)) continue;
      count += 1;
      sum += value;
      if (value < min) {
        min = value;
        minRow = row;
      }
      if (value > max) {
        max = value;
        maxRow = row;
      }
    }
    if (count === 0) return;
    this.#counts[bucket] = (this.#counts[bucket] as number) + count;
    this.#sums[bucket] = sum;
    if (min < (this.#mins[bucket] as number)) {
      this.#mins[bucket] = min;
      this.#minTimes[bucket] = times[minRow] as number;
    }
    if (max > (this.#maxs[bucket] as number)) {
      this.#maxs[bucket] = max;
      this.#maxTimes[bucket] = times[maxRow] as number;
    }
  }

  /** The statistics over the buckets from `from` to `to` (not included). */
  statistics(from: number, to: number): Statistics {
    let [count, sum] = [0, 0];
    let [min, minTime] = [Infinity, Number.NaN];
    let [max, maxTime] = [-Infinity, Number.NaN];
    for (let bucket = from; bucket < to; bucket += 1) {
      if (this.#counts[bucket] === 0) continue;
      count += this.#counts[bucket] as number;
      sum += this.#sums[bucket] as number;
      if ((this.#mins[bucket] as number) < min) {
        min = this.#mins[bucket] as number;
        minTime = this.#minTimes[bucket] as number;
      }
      if ((this.#maxs[bucket] as number) > max) {
        max = this.#maxs[bucket] as number;
        maxTime = this.#maxTimes[bucket] as number;
      }
    }
    if (count === 0) return NO_STATISTICS;
    return {
      count,
      min: Number.isFinite(min) ? min : Number.NaN,
      minTime,
      max: Number.isFinite(max) ? max : Number.NaN,
      maxTime,
      mean: sum / count,
      sum,
    };
  }
}
