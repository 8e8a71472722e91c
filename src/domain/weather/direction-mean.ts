/**
 * The mean wind direction of each of several buckets: the direction of the resultant wind, which is the sum of the wind
 * vectors. In a bucket without any known speed, all directions have the same weight.
 */
export class DirectionMean {
  /** Sums over the rows with a known speed. */
  readonly #weighted: Resultants;
  /** Sums over the rows without a known speed, each with the weight 1. */
  readonly #alike: Resultants;

  constructor(buckets: number) {
    this.#weighted = new Resultants(buckets);
    this.#alike = new Resultants(buckets);
  }

  /**
   * @param direction degrees, from where the wind blows
   * @param speed NaN where it is unknown
   */
  add(bucket: number, direction: number, speed: number): void {
    if (Number.isNaN(speed)) this.#alike.add(bucket, direction, 1);
    else this.#weighted.add(bucket, direction, speed);
  }

  /** Number of directions in the mean. */
  count(bucket: number): number {
    return this.#of(bucket).count(bucket);
  }

  /** Degrees. NaN without wind, or where the winds cancel each other out. */
  mean(bucket: number): number {
    return this.#of(bucket).direction(bucket);
  }

  #of(bucket: number): Resultants {
    return this.#weighted.count(bucket) > 0 ? this.#weighted : this.#alike;
  }
}

/** Sums of vectors. */
class Resultants {
  readonly #counts: Uint32Array;
  readonly #easts: Float64Array;
  readonly #norths: Float64Array;

  constructor(buckets: number) {
    this.#counts = new Uint32Array(buckets);
    this.#easts = new Float64Array(buckets);
    this.#norths = new Float64Array(buckets);
  }

  add(bucket: number, direction: number, length: number): void {
    const angle = (direction * Math.PI) / 180;
    this.#counts[bucket] = this.count(bucket) + 1;
    this.#easts[bucket] = (this.#easts[bucket] as number) + length * Math.sin(angle);
    this.#norths[bucket] = (this.#norths[bucket] as number) + length * Math.cos(angle);
  }

  count(bucket: number): number {
    return this.#counts[bucket] as number;
  }

  direction(bucket: number): number {
    const [east, north] = [this.#easts[bucket] as number, this.#norths[bucket] as number];
    if (Math.hypot(east, north) < 1e-9) return Number.NaN;
    const degrees = (Math.atan2(east, north) * 180) / Math.PI;
    return degrees < 0 ? degrees + 360 : degrees;
  }
}
