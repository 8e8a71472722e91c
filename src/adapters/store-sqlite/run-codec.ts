import { copyRows, emptySeries, layered } from '../../domain/merge-series.js';
import { lowerBound, type Series, sliceSeries } from '../../domain/observations.js';
import { only } from './decoded-series.js';
import { inOrderOfTime } from '../../domain/row-order.js';

/**
 * What one commit wrote, as a blob: sorted by (station, time), and never changed until it is merged into chunks and goes.
 * Little-endian, every part at a multiple of 8 bytes:
 *
 *     u32 stations, u32 rows, u32 columns, u32 flag columns
 *     u32 station numbers; u32 first row of each
 *     u32 variables of the columns; u32 variables of the flag columns
 *     f64 times; f64 values by column; u8 flags by flag column
 */
const HEADER = 16;
const aligned = (length: number) => (length + 7) & ~7;

/** Which rows of the columns are a station's. */
export interface RunPlace {
  readonly station: number;
  readonly from: number;
}

/** @param places by rising number of station, one after the other without a gap */
export function encodeRun(places: readonly RunPlace[], { times, values, flags }: Series): Buffer {
  const rows = times.length;
  const sizes = [places.length * 4, places.length * 4, values.size * 4, flags.size * 4, rows * 8];
  const offsets = sizes.map((_size, index) =>
    sizes.slice(0, index).reduce((sum, size) => sum + aligned(size), HEADER),
  ) as [number, number, number, number, number];
  const valuesAt = offsets[4] + rows * 8;
  const flagsAt = valuesAt + values.size * rows * 8;
  const data = new ArrayBuffer(flagsAt + flags.size * aligned(rows));
  new Uint32Array(data, 0, 4).set([places.length, rows, values.size, flags.size]);
  new Uint32Array(data, offsets[0], places.length).set(places.map(({ station }) => station));
  new Uint32Array(data, offsets[1], places.length).set(places.map(({ from }) => from));
  new Uint32Array(data, offsets[2], values.size).set([...values.keys()]);
  new Uint32Array(data, offsets[3], flags.size).set([...flags.keys()]);
  new Float64Array(data, offsets[4], rows).set(times);
  let at = valuesAt;
  for (const column of values.values()) {
    new Float64Array(data, at, rows).set(column);
    at += rows * 8;
  }
  for (const column of flags.values()) {
    new Uint8Array(data, at, rows).set(column);
    at += aligned(rows);
  }
  return Buffer.from(data);
}

/** A run that has been read. */
export class Run {
  readonly id: number;
  readonly rows: number;
  readonly #places = new Map<number, readonly [from: number, to: number]>();
  readonly #all: Series;

  constructor(id: number, blob: Buffer) {
    this.id = id;
    // A blob of the driver's has memory of its own; whether it is aligned nobody promises.
    const own = blob.byteOffset % 8 === 0 ? blob : Uint8Array.from(blob);
    const { buffer: data, byteOffset: start } = own;
    const [stations = 0, rows = 0, columns = 0, flagged = 0] = new Uint32Array(data, start, 4);
    this.rows = rows;
    let at = start + HEADER;
    const u32 = (length: number) => {
      const array = new Uint32Array(data, at, length);
      at += aligned(length * 4);
      return array;
    };
    const numbers = u32(stations);
    const starts = u32(stations);
    const variables = u32(columns);
    const flagVariables = u32(flagged);
    const times = new Float64Array(data, at, rows);
    at += rows * 8;
    const values = new Map<number, Float64Array>();
    for (const variable of variables) {
      values.set(variable, new Float64Array(data, at, rows));
      at += rows * 8;
    }
    const flags = new Map<number, Uint8Array>();
    for (const variable of flagVariables) {
      flags.set(variable, new Uint8Array(data, at, rows));
      at += aligned(rows);
    }
    this.#all = { times, values, flags };
    for (const [index, station] of numbers.entries()) {
      this.#places.set(station, [starts[index] as number, starts[index + 1] ?? rows]);
    }
  }

  get stations(): Iterable<number> {
    return this.#places.keys();
  }

  /** The rows of a station, without a copy; undefined when there are none. */
  of(station: number): Series | undefined {
    const place = this.#places.get(station);
    return place && sliceSeries(this.#all, place[0], place[1]);
  }

  /** Rows of all stations. */
  get columns(): Series {
    return this.#all;
  }

  /** Which rows are of a station and in `[from, to)`; undefined when there are none. */
  find(station: number, from: number, to: number): readonly [first: number, end: number] | undefined {
    const place = this.#places.get(station);
    if (place === undefined) return undefined;
    const { times } = this.#all;
    const first = lowerBound(times, from, ...place);
    const end = lowerBound(times, to, first, place[1]);
    return first === end ? undefined : [first, end];
  }
}

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

/** What a station has in several runs, in `[from, to)`, the later over the earlier: always a copy. */
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
    const columns = only(run.columns, variables);
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
    inOrderOfTime(all) ?? layered(parts.map(({ columns, first, end }) => sliceSeries(columns, first, end)))
  );
}
