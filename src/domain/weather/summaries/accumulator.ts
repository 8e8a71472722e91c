import { V, type Variable } from '../variables.js';
import type { Bucket } from './bucket.js';
import {
  type BucketRows,
  type ColumnSums,
  flagsOf,
  isKnown,
  type KnownValues,
  knownValues,
  valueAt,
} from './column-sums.js';
import { type Coverage, weightedMean } from './coverage.js';
import { Evenness } from './evenness.js';
import { emptyFields, layoutOf } from './layout.js';
import { addRain, rainStatistics } from './rain-maxima.js';
import { NO_STATISTICS, type Statistics } from './statistics.js';

type Fields = readonly Float64Array[];

/** Count, sum, extremes and covered time of one variable that is no direction. */
export class Accumulator implements ColumnSums {
  readonly fields: Fields;
  readonly #variable: Variable;
  readonly #buckets: readonly Bucket[];

  constructor(variable: Variable, buckets: readonly Bucket[]) {
    this.#variable = variable;
    this.#buckets = buckets;
    this.fields = emptyFields(layoutOf(variable), buckets.length);
  }

  add(index: number, rows: BucketRows): void {
    const { number, aggregation } = this.#variable;
    const { series, from, to, bucket, coverages } = rows;
    const values = series.values.get(number);
    if (values === undefined) return;
    const flags = flagsOf(rows, number);
    let [count, sum, minRow, maxRow] = [0, 0, -1, -1];
    let [min, max] = [Infinity, -Infinity];
    for (let row = from; row < to; row += 1) {
      if (!isKnown(values, flags, row)) continue;
      const value = values[row] as number;
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
    const [counts, sums, mins, minTimes, maxs, maxTimes, covered, weighted, more] = this.fields as Ten;
    const known = knownValues(rows, values, flags, count);
    const coverage = coverages.of(known, bucket);
    counts[index] = count;
    sums[index] = sum;
    mins[index] = min;
    minTimes[index] = series.times[minRow] ?? Number.NaN;
    maxs[index] = max;
    maxTimes[index] = series.times[maxRow] ?? Number.NaN;
    covered[index] = coverage.covered;
    if (aggregation === 'mean' && !coverage.isRegular) weighted[index] = meanOf(known, rows, coverage);
    if (number === V.gust) more[index] = directionOf(rows, maxRow);
    if (number === V.precipitation) addRain(this.fields, index, bucket, known, coverage);
  }

  statistics(from: number, to: number): Statistics {
    const [counts, sums, mins, minTimes, maxs, maxTimes, covered, weighted, more] = this.fields as Ten;
    const total = new Evenness();
    let [count, sum, integral] = [0, 0, 0];
    let [min, minTime] = [Infinity, Number.NaN];
    let [max, maxTime, maxDirection] = [-Infinity, Number.NaN, Number.NaN];
    for (let bucket = from; bucket < to; bucket += 1) {
      const own = counts[bucket] as number;
      if (own === 0) continue;
      count += own;
      sum += sums[bucket] as number;
      if ((mins[bucket] as number) < min) {
        min = mins[bucket] as number;
        minTime = minTimes[bucket] as number;
      }
      if ((maxs[bucket] as number) > max) {
        max = maxs[bucket] as number;
        maxTime = maxTimes[bucket] as number;
        if (this.#variable.number === V.gust) maxDirection = more[bucket] as number;
      }
      const isIrregular = !Number.isNaN(weighted[bucket]);
      const time = total.add(own, covered[bucket] as number, isIrregular);
      const mean = isIrregular ? (weighted[bucket] as number) : (sums[bucket] as number) / own;
      if (time > 0) integral += mean * time;
    }
    if (count === 0) return NO_STATISTICS;
    const { isWeighted } = total;
    return {
      ...NO_STATISTICS,
      count,
      min: Number.isFinite(min) ? min : Number.NaN,
      minTime,
      max: Number.isFinite(max) ? max : Number.NaN,
      maxTime,
      maxDirection,
      mean: isWeighted ? integral / total.covered : sum / count,
      sum,
      covered: total.known,
      isWeighted,
      integral: total.covered > 0 ? integral : Number.NaN,
      ...(this.#variable.number === V.precipitation && rainStatistics(this.fields, this.#buckets, from, to)),
    };
  }
}

/** For fields of all layouts; those that a layout does not have are never used. */
type Ten = [
  ...[Float64Array, Float64Array, Float64Array, Float64Array, Float64Array],
  ...[Float64Array, Float64Array, Float64Array, Float64Array, Float64Array],
];

function meanOf({ times, values, from, to }: KnownValues, { bucket }: BucketRows, { interval }: Coverage) {
  return weightedMean(times, values, from, to, bucket.end - bucket.start, interval);
}

/** The direction of a gust: measured with it, otherwise that of the wind at the same time. */
function directionOf(rows: BucketRows, row: number): number {
  if (row < 0) return Number.NaN;
  const direction = valueAt(rows, V.gustDirection, row);
  return Number.isNaN(direction) ? valueAt(rows, V.windDirection, row) : direction;
}
