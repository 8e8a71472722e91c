import { MILLISECONDS } from '#domain/time.js';
import { mergeAll } from '#domain/weather/merge-series.js';
import { sortByTime } from '#domain/weather/row-order.js';
import { EMPTY_SERIES, type Series, sliceSeries } from '#domain/weather/series.js';
import { dayOf } from '#adapters/formats/packed/chunk-key.js';
import { SeriesTarget } from '#adapters/formats/packed/columns/packed-series.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';

/** A row of a run, which has the rows of many stations: the time of the row, and its index `row` in the run. */
export interface RunRow {
  readonly time: number;
  readonly run: Run;
  readonly row: number;
}

/**
 * Finds rows of a station in several runs, each of which has the rows of one commit. The result is in order of time and contains
 * the rows marked `x`: all rows from `first` to `last`, and the last row before `first` if it is not before `reach`.
 *
 *     o     |  o  o  x  |  x   x   x  |  o    time ->
 *         reach       first          last
 *
 * @returns undefined if two of these rows have the same time
 */
export function rowsAround(
  runs: readonly Run[],
  station: number,
  reach: number,
  first: number,
  last: number,
): RunRow[] | undefined {
  const rows: RunRow[] = [];
  let before: RunRow | undefined;
  let isUnique = true;
  for (const run of runs) {
    const range = run.find(station, reach, last + 1);
    if (range === undefined) continue;
    for (let row = range[1] - 1; row >= range[0]; row -= 1) {
      const time = run.times[row] as number;
      if (time < first) {
        const newest = before?.time ?? -Infinity;
        isUnique = time > newest || (isUnique && time < newest);
        if (time > newest) before = { time, run, row };
        break;
      }
      let at = rows.length;
      while (at > 0 && (rows[at - 1] as RunRow).time > time) at -= 1;
      if (at > 0 && (rows[at - 1] as RunRow).time === time) return undefined;
      rows.splice(at, 0, { time, run, row });
    }
  }
  if (!isUnique) return undefined;
  if (before !== undefined) rows.unshift(before);
  return rows;
}

/**
 * Copies the rows of a station in `[from, to)` from several runs, each of which has the rows of one commit. If several runs have
 * a value for the same time, the value of the latest run is used.
 */
export function gatherRows(
  runs: readonly Run[],
  station: number,
  from = -Infinity,
  to = Infinity,
  variables?: ReadonlySet<number>,
): Series {
  const parts: { readonly run: Run; readonly first: number; readonly end: number }[] = [];
  let rows = 0;
  let last = -Infinity;
  let isRising = true;
  for (const run of runs) {
    const range = run.find(station, from, to);
    if (range === undefined) continue;
    const [first, end] = range;
    isRising &&= (run.times[first] as number) > last;
    last = run.times[end - 1] as number;
    rows += end - first;
    parts.push({ run, first, end });
  }
  if (rows === 0) return EMPTY_SERIES;
  const target = new SeriesTarget(rows, variables);
  let at = 0;
  for (const { run, first, end } of parts) {
    run.decode(target, first, end, at);
    at += end - first;
  }
  const all = target.series;
  if (isRising) return all;
  let begin = 0;
  return (
    sortByTime(all) ??
    mergeAll(parts.map(({ first, end }) => sliceSeries(all, begin, (begin += end - first))))
  );
}

/**
 * Maximum length of a window in days. A window is a range of times whose rows are merged together. A station that sends every ten
 * minutes has 1,152 rows in eight days.
 */
const WINDOW_DAYS = 8;

/**
 * Divides the rows of a station into windows of time, in ascending order. A window begins at a row, and ends at a UTC midnight at
 * most `WINDOW_DAYS` days later.
 */
export function* windowsOf(
  runs: readonly Run[],
  station: number,
): Generator<readonly [from: number, to: number]> {
  let from = -Infinity;
  for (;;) {
    let first = Infinity;
    for (const run of runs) {
      const [row] = run.find(station, from, Infinity) ?? [];
      if (row !== undefined) first = Math.min(first, run.times[row] as number);
    }
    if (first === Infinity) return;
    const to = (dayOf(first) + WINDOW_DAYS) * MILLISECONDS.day;
    yield [first, to];
    from = to;
  }
}

/**
 * Maximum number of rows of a station that are merged at once. More rows, such as the hundred thousand rows of an import, are
 * merged window by window, which takes less memory.
 */
const MAX_ROWS_AT_ONCE = 16_384;

/** The windows of time in which the rows of a station are merged, in ascending order. */
export function mergeWindows(
  runs: readonly Run[],
  station: number,
): Iterable<readonly [from: number, to: number]> {
  return countRows(runs, station) > MAX_ROWS_AT_ONCE ? windowsOf(runs, station) : [[-Infinity, Infinity]];
}

/**
 * The number of rows of a station in several runs, each of which has the rows of one commit. A time that occurs in several runs
 * counts several times.
 */
export function countRows(runs: readonly Run[], station: number): number {
  return runs.reduce((sum, run) => {
    const place = run.place(station);
    return place === undefined ? sum : sum + place[1] - place[0];
  }, 0);
}
