import { copyRows, emptySeries, mergeAll } from '../../../domain/weather/merge-series.js';
import { inOrderOfTime } from '../../../domain/weather/row-order.js';
import { type Series, sliceSeries } from '../../../domain/weather/series.js';
import { selectVariables } from '../../formats/packed/decoded-series.js';
import type { Run } from '../../formats/packed/run-codec.js';

/** A row of a run. */
export interface RunRow {
  readonly time: number;
  readonly columns: Series;
  readonly row: number;
}

/**
 * Rows of a station by time: those from `first` to `last`, and the newest before them that is not older than `reach`.
 * Undefined where two of them have the same time.
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
  let isAlone = true;
  for (const run of runs) {
    const found = run.find(station, reach, last + 1);
    if (found === undefined) continue;
    const { columns } = run;
    for (let row = found[1] - 1; row >= found[0]; row -= 1) {
      const time = columns.times[row] as number;
      if (time < first) {
        const newest = before?.time ?? -Infinity;
        isAlone = time > newest || (isAlone && time < newest);
        if (time > newest) before = { time, columns, row };
        break;
      }
      let at = rows.length;
      while (at > 0 && (rows[at - 1] as RunRow).time > time) at -= 1;
      if (at > 0 && (rows[at - 1] as RunRow).time === time) return undefined;
      rows.splice(at, 0, { time, columns, row });
    }
  }
  if (!isAlone) return undefined;
  if (before !== undefined) rows.unshift(before);
  return rows;
}

/** The rows of a station in several runs in `[from, to)`. Values of later runs replace those of earlier ones. Always a copy. */
export function gathered(
  runs: readonly Run[],
  station: number,
  from = -Infinity,
  to = Infinity,
  variables?: ReadonlySet<number>,
): Series {
  const parts: { readonly columns: Series; readonly first: number; readonly end: number }[] = [];
  let rows = 0;
  let last = -Infinity;
  let isRising = true;
  for (const run of runs) {
    const found = run.find(station, from, to);
    if (found === undefined) continue;
    const [first, end] = found;
    const columns = selectVariables(run.columns, variables);
    isRising &&= (columns.times[first] as number) > last;
    last = columns.times[end - 1] as number;
    rows += end - first;
    parts.push({ columns, first, end });
  }
  const all = emptySeries(rows);
  let at = 0;
  for (const { columns, first, end } of parts) {
    copyRows(columns, first, end, all, at);
    at += end - first;
  }
  if (isRising) return all;
  return (
    inOrderOfTime(all) ?? mergeAll(parts.map(({ columns, first, end }) => sliceSeries(columns, first, end)))
  );
}
