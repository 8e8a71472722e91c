/**
 * Beyond this ratio between the times for which the values of two buckets stand, on average, the mean over both is weighted with the
 * time: a station may report by the hour in one year and by the minute in the next.
 */
const UNEVEN = 1.5;

/** The covered time of successive buckets, and whether a mean over them must be weighted with it. */
export class Evenness {
  #covered = 0;
  #isKnown = false;
  #isIrregular = false;
  #least = Infinity;
  #most = 0;

  /** @returns the covered time of the bucket; 0 if it is unknown */
  add(count: number, covered: number, isIrregular: boolean): number {
    if (Number.isNaN(covered)) return 0;
    this.#isKnown = true;
    this.#covered += covered;
    this.#isIrregular ||= isIrregular;
    this.#least = Math.min(this.#least, covered / count);
    this.#most = Math.max(this.#most, covered / count);
    return covered;
  }

  /** Sum of the known times. */
  get covered(): number {
    return this.#covered;
  }

  /** As `covered`; NaN if no time is known. */
  get known(): number {
    return this.#isKnown ? this.#covered : Number.NaN;
  }

  get isWeighted(): boolean {
    return this.#covered > 0 && (this.#isIrregular || this.#most > UNEVEN * this.#least);
  }
}
