/**
 * If the average times that a value covers in two buckets differ by more than this ratio, the mean over both buckets is weighted with
 * the time: a station may report by the hour in one year and by the minute in the next.
 */
const UNEVEN = 1.5;

/** The covered time of several buckets. It decides whether a mean over them must be weighted with the time. */
export class Evenness {
  #covered = 0;
  #isKnown = false;
  #isIrregular = false;
  #minimum = Infinity;
  #maximum = 0;

  /** @returns the covered time of the bucket; 0 if it is unknown */
  add(count: number, covered: number, isIrregular: boolean): number {
    if (Number.isNaN(covered)) return 0;
    this.#isKnown = true;
    this.#covered += covered;
    this.#isIrregular ||= isIrregular;
    this.#minimum = Math.min(this.#minimum, covered / count);
    this.#maximum = Math.max(this.#maximum, covered / count);
    return covered;
  }

  /** Sum of the known covered times. */
  get covered(): number {
    return this.#covered;
  }

  /** The same as `covered`; NaN if no covered time is known. */
  get known(): number {
    return this.#isKnown ? this.#covered : Number.NaN;
  }

  get isWeighted(): boolean {
    return this.#covered > 0 && (this.#isIrregular || this.#maximum > UNEVEN * this.#minimum);
  }
}
