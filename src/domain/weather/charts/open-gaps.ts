import { MILLISECONDS } from '../../time.js';
import { copySeriesRows, emptySeries } from '../merge-series.js';
import type { Series } from '../series.js';
import { reportingIntervalAt } from '../station-history.js';
import type { Station } from '../station.js';
import { type ChartColumns, columnOf } from './thinned.js';

/** Number of reporting intervals without a row after which a chart shows a gap. */
export const GAP_INTERVALS = 3;

/**
 * Adds a row without values to each gap of more than `GAP_INTERVALS`, so that a chart does not connect the values on
 * both sides of it. Its time is that of the first missing report. Within a column nothing is added: rows that are
 * missing there may have been left out, and such a gap is too narrow to be seen. The last row of a column and the first
 * one of the next are never left out.
 *
 * @param series a thinned series
 * @param usual milliseconds between two rows where the reporting interval of the station is unknown
 */
export function withOpenGaps(series: Series, columns: ChartColumns, station: Station, usual: number): Series {
  const { times, values } = series;
  const gaps: { readonly row: number; readonly time: number }[] = [];
  for (let row = 1; row < times.length; row += 1) {
    const before = times[row - 1] as number;
    const seconds = reportingIntervalAt(station, before);
    const interval = seconds === null ? usual : seconds * MILLISECONDS.second;
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
