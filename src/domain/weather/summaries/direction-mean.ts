import { NO_STATISTICS, type Statistics } from './accumulator.js';

/**
 * The mean wind direction of each of several buckets: the direction of the resultant wind, which is the sum of the wind
 * vectors. In buckets without any known speed, all directions have the same weight.
 */
export class DirectionMean {
  /** Count and the components of the sum, of `#weighted` and then of `#alike`, each with one number a bucket. */
  readonly fields: readonly Float64Array[];
  /** Sums over the rows with a known speed. */
  readonly #weighted: Resultants;
  /** Sums over the rows without a known speed, each with the weight 1. */
  readonly #alike: Resultants;

  constructor(buckets: number) {
    this.#weighted = new Resultants(buckets);
    this.#alike = new Resultants(buckets);
    this.fields = [...this.#weighted.fields, ...this.#alike.fields];
  }

  /**
   * @param direction degrees, from where the wind blows
   * @param speed NaN where it is unknown
   */
  add(bucket: number, direction: number, speed: number): void {
    if (Number.isNaN(speed)) this.#alike.add(bucket, direction, 1);
    else this.#weighted.add(bucket, direction, speed);
  }

  /**
   * Number of directions in the mean, and the mean in degrees, over the buckets from `from` to `to` (not included). The mean is NaN
   * without wind, or where the winds cancel each other out.
   */
  statistics(from: number, to: number): Statistics {
    const weighted = this.#weighted.resultant(from, to);
    return { ...NO_STATISTICS, ...(weighted.count > 0 ? weighted : this.#alike.resultant(from, to)) };
  }
}

/** Sums of vectors. */
class Resultants {
  readonly fields: readonly Float64Array[];
  readonly #counts: Float64Array;
  readonly #easts: Float64Array;
  readonly #norths: Float64Array;

  constructor(buckets: number) {
    this.#counts = new Float64Array(buckets);
    this.#easts = new Float64Array(buckets);
    this.#norths = new Float64Array(buckets);
    this.fields = [this.#counts, this.#easts, this.#norths];
  }

  add(bucket: number, direction: number, length: number): void {
    const angle = (direction * Math.PI) / 180;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#easts[bucket] = (this.#easts[bucket] as number) + length * Math.sin(angle);
    this.#norths[bucket] = (this.#norths[bucket] as number) + length * Math.cos(angle);
  }

  resultant(from: number, to: number): { readonly count: number; readonly mean: number } {
    let [count, east, north] = [0, 0, 0];
    for (let bucket = from; bucket < to; bucket += 1) {
      count += this.#counts[bucket] as number;
      east += this.#easts[bucket] as number;
      north += this.#norths[bucket] as number;
    }
    if (Math.hypot(east, north) < 1e-9) return { count, mean: Number.NaN };
    const degrees = (Math.atan2(east, north) * 180) / Math.PI;
    return { count, mean: degrees < 0 ? degrees + 360 : degrees };
  }
}
