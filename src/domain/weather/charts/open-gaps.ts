import { MILLISECONDS } from '../../time.js';
import { copySeriesRows, emptySeries } from '../merge-series.js';
import type { Series } from '../series.js';
import { reportingIntervalAt } from '../station-history.js';
import type { Station } from '../station.js';
import { type ChartColumns, columnOf } from './thinned.js';

/** Largest number of reporting intervals between two rows that a chart connects. */
export const GAP_INTERVALS = 3;

/**
 * Adds a row without values to each gap of more than `GAP_INTERVALS` reporting intervals, so that a chart does not connect the
 * values on both sides of the gap. The row has the time of the first missing report.
 *
 * Gaps that the function `thinned` has made get no such row. `thinned` divides the time of a chart into narrow columns of equal
 * time. It removes rows, but never the first or the last row of a column. So:
 *
 * - A gap inside a column may come from `thinned`, and is too narrow to be seen. It gets no row.
 * - A gap between rows of different columns does not come from `thinned`. It gets a row without values.
 *
 * @param series a thinned series
 * @param defaultInterval milliseconds between two rows, used if the reporting interval of the station is unknown
 */
export function withOpenGaps(
  series: Series,
  columns: ChartColumns,
  station: Station,
  defaultInterval: number,
): Series {
  const { times, values } = series;
  const gaps: { readonly row: number; readonly time: number }[] = [];
  for (let row = 1; row < times.length; row += 1) {
    const before = times[row - 1] as number;
    const seconds = reportingIntervalAt(station, before);
    const interval = seconds === null ? defaultInterval : seconds * MILLISECONDS.second;
    const time = times[row] as number;
    if (interval === 0 || time - before <= GAP_INTERVALS * interval) continue;
    if (columnOf(before, columns) !== columnOf(time, columns))
      gaps.push({ row, time: before + Math.round(interval) });
  }
  if (gaps.length === 0) return series;
  const opened = emptySeries(times.length + gaps.length);
  for (const variable of values.keys())
    opened.values.set(variable, new Float64Array(opened.times.length).fill(Number.NaN));
  let begin = 0;
  for (const [index, { row, time }] of gaps.entries()) {
    copySeriesRows(series, begin, row, opened, begin + index);
    opened.times[row + index] = time;
    begin = row;
  }
  copySeriesRows(series, begin, times.length, opened, begin + gaps.length);
  return opened;
}
