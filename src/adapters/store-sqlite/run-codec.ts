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

export function encodeRun(parts: ReadonlyMap<number, Series>): Buffer {
  const stations = [...parts.keys()].sort((a, b) => a - b);
  const series = stations.map((station) => parts.get(station) as Series);
  const rows = series.reduce((sum, { times }) => sum + times.length, 0);
  const columns = [...new Set(series.flatMap(({ values }) => [...values.keys()]))];
  const flagged = [...new Set(series.flatMap(({ flags }) => [...flags.keys()]))];
  const sizes = [stations.length * 4, stations.length * 4, columns.length * 4, flagged.length * 4, rows * 8];
  const offsets = sizes.map((_size, index) =>
    sizes.slice(0, index).reduce((sum, size) => sum + aligned(size), HEADER),
  ) as [number, number, number, number, number];
  const valuesAt = offsets[4] + rows * 8;
  const flagsAt = valuesAt + columns.length * rows * 8;
  const data = new ArrayBuffer(flagsAt + flagged.length * aligned(rows));
  new Uint32Array(data, 0, 4).set([stations.length, rows, columns.length, flagged.length]);
  new Uint32Array(data, offsets[0], stations.length).set(stations);
  const starts = new Uint32Array(data, offsets[1], stations.length);
  new Uint32Array(data, offsets[2], columns.length).set(columns);
  new Uint32Array(data, offsets[3], flagged.length).set(flagged);
  const times = new Float64Array(data, offsets[4], rows);
  const values = columns.map((_variable, index) => new Float64Array(data, valuesAt + index * rows * 8, rows));
  const flags = flagged.map(
    (_variable, index) => new Uint8Array(data, flagsAt + index * aligned(rows), rows),
  );
  let at = 0;
  for (const [index, part] of series.entries()) {
    starts[index] = at;
    times.set(part.times, at);
    const end = at + part.times.length;
    for (const [column, variable] of columns.entries()) {
      const given = part.values.get(variable);
      if (given === undefined) values[column]?.fill(Number.NaN, at, end);
      else values[column]?.set(given, at);
    }
    for (const [column, variable] of flagged.entries()) {
      const given = part.flags.get(variable);
      if (given !== undefined) flags[column]?.set(given, at);
    }
    at = end;
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
    const data = blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength);
    const [stations = 0, rows = 0, columns = 0, flagged = 0] = new Uint32Array(data, 0, 4);
    this.rows = rows;
    let at = HEADER;
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
}
