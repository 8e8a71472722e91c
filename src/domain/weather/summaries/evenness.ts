/**
 * Each bucket has a mean time per value: the time that its values cover, divided by the number of the values. It is 60 minutes
 * for hourly reports, and 1 minute for reports each minute. If the longest mean time of several buckets is more than this
 * multiple of the shortest, the mean over these buckets is weighted with the time.
 */
const UNEVEN = 1.5;

/**
 * Adds up the times that the values of several buckets cover, and decides whether a mean over these buckets must be weighted with
 * the time.
 */
export class Evenness {
  #covered = 0;
  #isKnown = false;
  #isIrregular = false;
  #minimum = Infinity;
  #maximum = 0;

  /** Adds a bucket. @returns the time in ms that the values of the bucket cover; 0 if this time is unknown */
  add(count: number, covered: number, isIrregular: boolean): number {
    if (Number.isNaN(covered)) return 0;
    this.#isKnown = true;
    this.#covered += covered;
    this.#isIrregular ||= isIrregular;
    this.#minimum = Math.min(this.#minimum, covered / count);
    this.#maximum = Math.max(this.#maximum, covered / count);
    return covered;
  }

  /**
   * Adds a bucket without values whose mean is zero.
   *
   * @param length length of the bucket in ms
   */
  addZeros(length: number): void {
    this.#isKnown = true;
    this.#covered += length;
    this.#isIrregular = true;
  }

  /** The time in ms that the values of all buckets cover. Buckets whose covered time is unknown count as 0. */
  get covered(): number {
    return this.#covered;
  }

  /** The same as `covered`; NaN if the covered time of every bucket is unknown. */
  get known(): number {
    return this.#isKnown ? this.#covered : Number.NaN;
  }

  get isWeighted(): boolean {
    return this.#covered > 0 && (this.#isIrregular || this.#maximum > UNEVEN * this.#minimum);
  }
}
