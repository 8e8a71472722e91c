import { V, type Variable } from '../variables.js';
import type { Bucket } from './bucket.js';
import {
  type BucketRows,
  type ColumnSums,
  flagsOf,
  type KnownValues,
  knownValues,
  columnValue,
} from './column-sums.js';
import { type Coverage, weightedMean } from './coverage.js';
import { type Darkness, isZeroInDarkness } from './darkness.js';
import { Evenness } from './evenness.js';
import { emptyFields, layoutOf } from './layout.js';
import { addRain, rainStatistics } from './rain-maxima.js';
import { NO_STATISTICS, type Statistics } from './statistics.js';

/**
 * Computes the count, the sum and the extremes of the values of one variable that is not a direction, and the time that the
 * values cover.
 */
export class Accumulator implements ColumnSums {
  readonly fields: readonly Float64Array[];
  readonly #variable: Variable;
  readonly #buckets: readonly Bucket[];
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #mins: Float64Array;
  readonly #minTimes: Float64Array;
  readonly #maxs: Float64Array;
  readonly #maxTimes: Float64Array;
  readonly #covered: Float64Array;
  readonly #weighted: Float64Array;
  /** Directions of the maxima; undefined except for gusts. */
  readonly #maxDirections: Float64Array | undefined;

  /** Undefined if a missing value does not stand for zero in the darkness. */
  readonly #darkness: Darkness | undefined;

  /** @param darkness undefined if the position of the station is unknown */
  constructor(variable: Variable, buckets: readonly Bucket[], darkness?: Darkness) {
    this.#variable = variable;
    this.#darkness = isZeroInDarkness(variable) ? darkness : undefined;
    this.#buckets = buckets;
    this.fields = emptyFields(layoutOf(variable), buckets.length);
    const [counts, sums, mins, minTimes, maxs, maxTimes, covered, weighted, directions] = this.fields as Nine;
    [this.#counts, this.#sums] = [counts, sums];
    [this.#mins, this.#minTimes, this.#maxs, this.#maxTimes] = [mins, minTimes, maxs, maxTimes];
    [this.#covered, this.#weighted] = [covered, weighted];
    this.#maxDirections = variable.number === V.gust ? directions : undefined;
  }

  add(index: number, rows: BucketRows): void {
    const { number, aggregation } = this.#variable;
    const { series, from, to, bucket, coverages } = rows;
    const values = series.values.get(number);
    if (values === undefined) return;
    const flags = flagsOf(rows, number);
    let count = 0;
    let sum = 0;
    let min = Infinity;
    let max = -Infinity;
    let minRow = -1;
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
    const known = knownValues(rows, values, flags, count);
    const coverage = coverages.of(known, bucket, this.#variable);
    this.#counts[index] = count;
    this.#sums[index] = sum;
    this.#mins[index] = min;
    this.#minTimes[index] = series.times[minRow] ?? Number.NaN;
    this.#maxs[index] = max;
    this.#maxTimes[index] = series.times[maxRow] ?? Number.NaN;
    const dark = this.#darkness?.coverageOf(known, rows, coverage);
    this.#covered[index] = dark?.covered ?? coverage.covered;
    if (aggregation === 'mean' && (dark?.mean !== undefined || !coverage.isRegular))
      this.#weighted[index] = dark?.mean ?? meanOf(known, rows, coverage);
    if (this.#maxDirections !== undefined) this.#maxDirections[index] = directionOf(rows, maxRow);
    if (number === V.precipitation) addRain(this.fields, index, bucket, known, coverage);
  }

  coverDarkness(from: number, to: number): void {
    if (this.#darkness === undefined) return;
    for (let index = from; index < to; index += 1)
      if (this.#counts[index] === 0 && this.#covered[index] === 0)
        this.#covered[index] = this.#darkness.of(this.#buckets[index] as Bucket);
  }

  statistics(from: number, to: number): Statistics {
    const evenness = new Evenness();
    let count = 0;
    let sum = 0;
    let integral = 0;
    let min = Infinity;
    let max = -Infinity;
    let minBucket = -1;
    let maxBucket = -1;
    for (let bucket = from; bucket < to; bucket += 1) {
      const own = this.#counts[bucket] as number;
      if (own === 0) {
        const time = this.#covered[bucket] as number;
        // A bucket without values has a mean only if it is completely dark. Its mean is then zero.
        if (time > 0 && time === lengthOf(this.#buckets[bucket] as Bucket)) evenness.addZeros(time);
        continue;
      }
      const ownSum = this.#sums[bucket] as number;
      count += own;
      sum += ownSum;
      if ((this.#mins[bucket] as number) < min) {
        min = this.#mins[bucket] as number;
        minBucket = bucket;
      }
      if ((this.#maxs[bucket] as number) > max) {
        max = this.#maxs[bucket] as number;
        maxBucket = bucket;
      }
      const weighted = this.#weighted[bucket] as number;
      const isIrregular = !Number.isNaN(weighted);
      const time = evenness.add(own, this.#covered[bucket] as number, isIrregular);
      if (time > 0) integral += (isIrregular ? weighted : ownSum / own) * time;
    }
    const { isWeighted, covered } = evenness;
    const { number } = this.#variable;
    if (count === 0)
      return covered === 0
        ? NO_STATISTICS
        : { ...NO_STATISTICS, mean: 0, sum: 0, covered, integral: number === V.radiation ? 0 : undefined };
    // The result is one literal with all fields, because spreading objects takes several times as long.
    return {
      count,
      min: Number.isFinite(min) ? min : Number.NaN,
      minTime: minBucket < 0 ? Number.NaN : (this.#minTimes[minBucket] as number),
      max: Number.isFinite(max) ? max : Number.NaN,
      maxTime: maxBucket < 0 ? Number.NaN : (this.#maxTimes[maxBucket] as number),
      mean: isWeighted ? integral / covered : sum / count,
      sum,
      covered: evenness.known,
      isWeighted,
      integral: number === V.radiation && covered > 0 ? integral : undefined,
      maxDirection: this.#maxDirections?.[maxBucket],
      wind: undefined,
      rain: number === V.precipitation ? rainStatistics(this.fields, this.#buckets, from, to) : undefined,
    };
  }
}

/**
 * The first nine fields that `layoutOf` lists for a variable that is not a direction: count, sum, minimum and its time, maximum
 * and its time, covered time, and mean. The ninth field is used here only for gusts, and contains the direction of the maximum.
 */
type Nine = [
  ...[Float64Array, Float64Array, Float64Array, Float64Array, Float64Array],
  ...[Float64Array, Float64Array, Float64Array, Float64Array | undefined],
];

const lengthOf = ({ start, end }: Bucket) => end - start;

function meanOf(
  { times, values, from, to }: KnownValues,
  { bucket, delay }: BucketRows,
  { interval }: Coverage,
) {
  return weightedMean(times, values, from, to, bucket.end - bucket.start, interval, delay);
}

/** The direction of a gust: measured with the gust, otherwise the direction of the wind at the same time. */
function directionOf(rows: BucketRows, row: number): number {
  if (row < 0) return Number.NaN;
  const direction = columnValue(rows, V.gustDirection, row);
  return Number.isNaN(direction) ? columnValue(rows, V.windDirection, row) : direction;
}
