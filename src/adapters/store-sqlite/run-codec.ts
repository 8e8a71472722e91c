import { layered } from '../../domain/merge-series.js';
import { type Series, sliceSeries } from '../../domain/observations.js';

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

  has(station: number): boolean {
    return this.#places.has(station);
  }

  /** The rows of a station, without a copy; undefined when there are none. */
  of(station: number): Series | undefined {
    const place = this.#places.get(station);
    return place && sliceSeries(this.#all, place[0], place[1]);
  }

  /** Time of the first row of a station, and of the last. */
  span(station: number): readonly [first: number, last: number] | undefined {
    const place = this.#places.get(station);
    return place && [this.#all.times[place[0]] as number, this.#all.times[place[1] - 1] as number];
  }

  /** Copies the rows of a station to where they go in longer columns, and returns how many there were. */
  copyTo({ times, values, flags }: CopyTarget, station: number, at: number): number {
    const [from, to] = this.#places.get(station) ?? [0, 0];
    copy(this.#all.times, from, to, times, at);
    for (const [variable, column] of this.#all.values) {
      let target = values.get(variable);
      if (target === undefined)
        values.set(variable, (target = new Float64Array(times.length).fill(Number.NaN)));
      copy(column, from, to, target, at);
    }
    for (const [variable, column] of this.#all.flags) {
      let target = flags.get(variable);
      if (target === undefined) flags.set(variable, (target = new Uint8Array(times.length)));
      copy(column, from, to, target, at);
    }
    return to - from;
  }

  rowsOf(station: number): number {
    const [from, to] = this.#places.get(station) ?? [0, 0];
    return to - from;
  }
}

interface CopyTarget {
  readonly times: Float64Array;
  readonly values: Map<number, Float64Array>;
  readonly flags: Map<number, Uint8Array>;
}

/** What a station has in several runs, the later over the earlier. */
export function gathered(runs: readonly Run[], station: number): Series {
  let rows = 0;
  let end = -Infinity;
  for (const run of runs) {
    const span = run.span(station);
    if (span === undefined) continue;
    if (span[0] <= end) return layered(runs.flatMap((each) => each.of(station) ?? []));
    end = span[1];
    rows += run.rowsOf(station);
  }
  const target = {
    times: new Float64Array(rows),
    values: new Map<number, Float64Array>(),
    flags: new Map<number, Uint8Array>(),
  };
  let at = 0;
  for (const run of runs) at += run.copyTo(target, station, at);
  return target;
}

/** A loop: a station has a few rows of a run, and a view for each of its columns would cost more than they do. */
function copy<T extends Float64Array | Uint8Array>(
  source: T,
  from: number,
  to: number,
  target: T,
  at: number,
) {
  for (let row = from; row < to; row += 1) target[at + row - from] = source[row] as number;
}
