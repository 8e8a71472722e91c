import { timeOfSun } from '../derived/solar.js';
import { V, type Variable } from '../variables.js';
import type { Bucket } from './bucket.js';
import type { BucketRows, KnownValues } from './column-sums.js';
import { type Coverage, gapsOf, orWhole, spansOf } from './coverage.js';
import { type PositionCode, positionOf } from './position-code.js';

/**
 * Whether a variable is zero while the sun is not up. A missing value or a value that failed stands for zero then, so that the
 * energy or the dose of a day is complete if the values by day are.
 */
export function isZeroInDarkness({ number }: Variable): boolean {
  return number === V.radiation || number === V.ultravioletIndex || number === V.sunshine;
}

/** The covered time of a bucket, if darkness without values counts as covered by zeros. */
export interface DarkCoverage {
  /** In ms. */
  readonly covered: number;
  /** The mean over the covered time; undefined if it is the mean of the values alone. */
  readonly mean: number | undefined;
}

/** Computes the dark time of the gaps between the values of a station. */
export class Darkness {
  readonly #codeOf: (start: number) => PositionCode;

  /** @param codeOf returns the position of the station in a bucket from the start of the bucket */
  constructor(codeOf: (start: number) => PositionCode) {
    this.#codeOf = codeOf;
  }

  /** The dark time of a whole bucket, in ms. */
  of({ start, end }: Bucket): number {
    return end - start - timeOfSun(start, end, positionOf(this.#codeOf(start)));
  }

  /**
   * Counts the dark time of the gaps of a bucket as covered.
   *
   * @param known the values of the bucket; there is at least one
   * @param coverage the time that the values cover
   * @returns undefined if no gap is dark
   */
  coverageOf(
    known: KnownValues,
    { bucket, delay }: BucketRows,
    coverage: Coverage,
  ): DarkCoverage | undefined {
    const length = bucket.end - bucket.start;
    const { covered, interval } = coverage;
    // Nearly all buckets have no gaps, so the sun is computed for few of them.
    if (covered === length) return undefined;
    // The values cover nothing of a bucket that is shorter than the reporting interval, or an unknown time. In an unknown time the
    // gaps are unknown too, unless all of the bucket is dark.
    if (!(covered > 0)) {
      const dark = this.of(bucket);
      return dark === length || (covered === 0 && dark > 0) ? { covered: dark, mean: undefined } : undefined;
    }
    const position = positionOf(this.#codeOf(bucket.start));
    const { times, values, from, to } = known;
    let dark = 0;
    gapsOf(times, from, to, bucket, interval, delay, (begin, end) => {
      dark += Math.round(end - begin) - timeOfSun(begin, end, position);
    });
    if (dark <= 0) return undefined;
    let [sum, time] = [0, dark];
    spansOf(times, from, to, length, interval, delay, (row, span) => {
      sum += span * (values[row] as number);
      time += span;
    });
    const whole = orWhole(time, length, interval);
    return { covered: whole, mean: sum / whole };
  }
}
