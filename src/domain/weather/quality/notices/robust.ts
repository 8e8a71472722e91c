import { percentile } from '../../climate/usual.js';

/** The median of the values that are not NaN; NaN if there are none. */
export function medianOf(values: Iterable<number>): number {
  const sorted = Float64Array.from([...values].filter((value) => !Number.isNaN(value))).sort();
  return sorted.length === 0 ? Number.NaN : percentile(sorted, 0.5);
}

/** Ratio of the standard deviation and the median absolute deviation of normally distributed values. */
const DEVIATION_OF_MEDIAN = 1.4826;

/** A robust standard deviation: the median absolute deviation from the median, scaled for normally distributed values. */
export function deviationOf(values: ArrayLike<number>): number {
  const all = Array.from(values);
  const middle = medianOf(all);
  return DEVIATION_OF_MEDIAN * medianOf(all.map((value) => Math.abs(value - middle)));
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
