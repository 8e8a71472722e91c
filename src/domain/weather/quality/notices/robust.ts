import { percentile } from '../../climate/usual.js';

/** Values while they are sorted. Long series need millions of medians, and a new array for each would take most of the time. */
let scratch = new Float64Array(128);
/** Up to this number of values, sorting by insertion is faster than the sort of typed arrays. */
const FEW = 24;

/** The median of the values from `from` to `to` (not included) that are not NaN; NaN if there are none. */
export function medianOf(values: ArrayLike<number>, from = 0, to = values.length): number {
  if (scratch.length < to - from) scratch = new Float64Array(2 * (to - from));
  let count = 0;
  for (let index = from; index < to; index += 1) {
    const value = values[index] as number;
    if (!Number.isNaN(value)) scratch[count++] = value;
  }
  if (count === 0) return Number.NaN;
  const sorted = scratch.subarray(0, count);
  if (count > FEW) sorted.sort();
  else insertionSort(sorted);
  return percentile(sorted, 0.5);
}

function insertionSort(values: Float64Array): void {
  for (let index = 1; index < values.length; index += 1) {
    const value = values[index] as number;
    let at = index - 1;
    for (; at >= 0 && (values[at] as number) > value; at -= 1) values[at + 1] = values[at] as number;
    values[at + 1] = value;
  }
}

/** Ratio of the standard deviation and the median absolute deviation of normally distributed values. */
const DEVIATION_OF_MEDIAN = 1.4826;

/** A robust standard deviation: the median absolute deviation from the median, scaled for normally distributed values. */
export function deviationOf(values: ArrayLike<number>): number {
  const middle = medianOf(values);
  return DEVIATION_OF_MEDIAN * medianOf(Float64Array.from(values, (value) => Math.abs(value - middle)));
}

/** The mean and the standard deviation of the values that are not NaN, and their number. */
export function momentsOf(values: ArrayLike<number>, from = 0, to = values.length) {
  let [count, mean, squares] = [0, 0, 0];
  for (let index = from; index < to; index += 1) {
    const value = values[index] as number;
    if (Number.isNaN(value)) continue;
    count += 1;
    const difference = value - mean;
    mean += difference / count;
    squares += difference * (value - mean);
  }
  return { count, mean: count === 0 ? Number.NaN : mean, deviation: Math.sqrt(squares / count) };
}
