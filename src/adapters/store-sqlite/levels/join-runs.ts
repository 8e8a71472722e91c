import { hasValue } from '#adapters/formats/packed/chunk-codec.js';
import type { Run, RunPlace } from '#adapters/formats/packed/run-codec.js';
import type { Series } from '#domain/weather/series.js';
import { gatherRows } from '#adapters/packed-store/run-rows.js';

/** The rows of a series that are copied, from index `from` to index `to` (not included). */
export interface Segment {
  readonly columns: Series;
  readonly from: number;
  readonly to: number;
}

/**
 * Joins several runs, which are packed pieces of rows: returns the rows of some stations from all of these runs. If two runs have
 * a value of the same station, time and variable, the value of the later run is used.
 *
 * @param stations numbers in ascending order
 */
export function joinRuns(
  runs: readonly Run[],
  stations: readonly number[],
): { readonly places: readonly RunPlace[]; readonly columns: Series } {
  const places: RunPlace[] = [];
  const segments: Segment[] = [];
  let rows = 0;
  for (const station of stations) {
    const own: Segment[] = [];
    let count = 0;
    let last = -Infinity;
    let isRising = true;
    for (const run of runs) {
      const place = run.place(station);
      if (place === undefined) continue;
      const [from, to] = place;
      const { columns } = run;
      isRising &&= (columns.times[from] as number) > last;
      last = columns.times[to - 1] as number;
      own.push({ columns, from, to });
      count += to - from;
    }
    if (count === 0) continue;
    places.push({ station, from: rows, inserted: 0 });
    if (isRising) segments.push(...own);
    else {
      const columns = gatherRows(runs, station);
      count = columns.times.length;
      segments.push({ columns, from: 0, to: count });
    }
    rows += count;
  }
  return { places, columns: joinSegments(segments, rows) };
}

/**
 * Copies segments, which are ranges of rows, one after the other into new columns. With short segments, copying by column is
 * several times as fast as copying by row.
 *
 * The result has no columns without a value, and no columns of flags that are all 0.
 */
export function joinSegments(segments: readonly Segment[], rows: number): Series {
  const sources = [...new Set(segments.map(({ columns }) => columns))];
  const values = new Map<number, Float64Array>();
  for (const variable of new Set(sources.flatMap((source) => [...source.values.keys()]))) {
    const column = new Float64Array(rows);
    copy(segments, ({ values: from }) => from.get(variable), column, Number.NaN);
    if (hasValue(column)) values.set(variable, column);
  }
  const flags = new Map<number, Uint8Array>();
  for (const variable of new Set(sources.flatMap((source) => [...source.flags.keys()]))) {
    const column = new Uint8Array(rows);
    copy(segments, ({ flags: from }) => from.get(variable), column, 0);
    if (column.some((flag) => flag !== 0)) flags.set(variable, column);
  }
  const times = new Float64Array(rows);
  copy(segments, (source) => source.times, times, 0);
  return { times, values, flags };
}

/**
 * Copies one column of each segment, which is a range of rows, one after the other into `target`.
 *
 * @param absent the value for the rows of a segment without the column
 */
function copy<T extends Float64Array | Uint8Array>(
  segments: readonly Segment[],
  columnOf: (source: Series) => T | undefined,
  target: T,
  absent: number,
): void {
  let at = 0;
  let source: Series | undefined;
  let column: T | undefined;
  for (const { columns, from, to } of segments) {
    if (columns !== source) column = columnOf((source = columns));
    const shift = at - from;
    if (column === undefined) target.fill(absent, at, at + to - from);
    else for (let row = from; row < to; row += 1) target[row + shift] = column[row] as number;
    at += to - from;
  }
}
