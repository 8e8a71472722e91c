import { crc32 } from 'node:zlib';
import { lowerBound, type Series, sliceSeries } from '../../../domain/weather/series.js';
import { aligned, DamagedBlobError, ENVELOPE, seal, unseal } from './blob.js';

/**
 * A run: the rows of one commit, sorted by (station, time). It never changes until it is merged into chunks and
 * deleted. This content follows the envelope (blob.ts). All numbers are little-endian, and each part is padded to a
 * multiple of 8 bytes:
 *
 *     part             bytes               content
 *     checksum         8                   u32 CRC-32 of the directory, u32 zero
 *     directory        16                  u32 stations, u32 rows, u32 columns, u32 flag columns
 *                      4 a station         u32 station numbers
 *                      4 a station         u32 first row of each station
 *                      4 a station         u32 number of rows of each station that the commit inserted
 *     variables        4 a column          u32 variables of the columns
 *                      4 a flag column     u32 variables of the flag columns
 *     times            8 a row             f64
 *     columns          8 a row             f64 values of each column
 *     flag columns     1 a row             u8 flags of each flag column
 *
 * The directory has a checksum of its own, so that the stations of a damaged run can still be read. Format version 0
 * has neither that checksum nor the numbers of inserted rows.
 */
const COUNTS = 16;
const DIRECTORY_CHECKSUM = 8;

/** The range of rows of a station. */
export interface RunPlace {
  readonly station: number;
  readonly from: number;
  /** Number of rows that the commit inserted. */
  readonly inserted: number;
}

/** @param places in rising order of station number, without gaps between the ranges of rows */
export function encodeRun(places: readonly RunPlace[], { times, values, flags }: Series): Buffer {
  const rows = times.length;
  const listSize = aligned(places.length * 4);
  const directoryAt = ENVELOPE + DIRECTORY_CHECKSUM;
  const variablesAt = directoryAt + COUNTS + 3 * listSize;
  const flagVariablesAt = variablesAt + aligned(values.size * 4);
  const timesAt = flagVariablesAt + aligned(flags.size * 4);
  const valuesAt = timesAt + rows * 8;
  const flagsAt = valuesAt + values.size * rows * 8;
  const data = new ArrayBuffer(flagsAt + flags.size * aligned(rows));
  new Uint32Array(data, directoryAt, 4).set([places.length, rows, values.size, flags.size]);
  const lists = [0, 1, 2].map(
    (index) => new Uint32Array(data, directoryAt + COUNTS + index * listSize, places.length),
  ) as [Uint32Array, Uint32Array, Uint32Array];
  for (const [index, { station, from, inserted }] of places.entries()) {
    lists[0][index] = station;
    lists[1][index] = from;
    lists[2][index] = inserted;
  }
  const checksum = crc32(new Uint8Array(data, directoryAt, variablesAt - directoryAt));
  new Uint32Array(data, ENVELOPE, 1)[0] = checksum;
  new Uint32Array(data, variablesAt, values.size).set([...values.keys()]);
  new Uint32Array(data, flagVariablesAt, flags.size).set([...flags.keys()]);
  new Float64Array(data, timesAt, rows).set(times);
  let at = valuesAt;
  for (const column of values.values()) {
    new Float64Array(data, at, rows).set(column);
    at += rows * 8;
  }
  for (const column of flags.values()) {
    new Uint8Array(data, at, rows).set(column);
    at += aligned(rows);
  }
  return seal('run', data);
}

/** A run that cannot be read. */
export class DamagedRunError extends DamagedBlobError {
  /** Numbers of the stations in the run; undefined where they cannot be read either. */
  readonly stations: readonly number[] | undefined;

  constructor(reason: string, stations: readonly number[] | undefined, cause?: unknown) {
    super(reason, { cause });
    this.stations = stations;
  }
}

/** A run that has been parsed. */
export class Run {
  readonly id: number;
  readonly rows: number;
  /** Size of the blob. */
  readonly bytes: number;
  /** Format version of the blob. */
  readonly version: number;
  readonly #places = new Map<number, readonly [from: number, to: number, inserted: number]>();
  readonly #all: Series;

  /**
   * @param isVerified whether the checksums need not be checked, because the blob was just made
   * @throws DamagedRunError
   */
  constructor(id: number, blob: Buffer, isVerified = false) {
    this.id = id;
    this.bytes = blob.length;
    const { version, content, isSound } = unsealRun(blob, isVerified);
    const damaged = (reason: string) => new DamagedRunError(reason, stationsOf(blob));
    if (!isSound) throw damaged('its checksum is wrong');
    const { buffer: data, byteOffset: start } = content;
    const end = start + content.length;
    let at = start + (version === 0 ? 0 : DIRECTORY_CHECKSUM);
    if (at + COUNTS > end) throw damaged('it is too short');
    const [stations = 0, rows = 0, columns = 0, flagged = 0] = new Uint32Array(data, at, 4);
    at += COUNTS;
    const lists = version === 0 ? 2 : 3;
    // In a blob without a checksum the counts may be wrong.
    const length =
      at +
      lists * aligned(stations * 4) +
      aligned(columns * 4) +
      aligned(flagged * 4) +
      rows * 8 * (1 + columns) +
      flagged * aligned(rows);
    if (length !== end) throw damaged('its length is not that of its parts');
    const u32 = (count: number) => {
      const array = new Uint32Array(data, at, count);
      at += aligned(count * 4);
      return array;
    };
    const numbers = u32(stations);
    const starts = u32(stations);
    const inserted = version === 0 ? undefined : u32(stations);
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
    this.rows = rows;
    this.version = version;
    this.#all = { times, values, flags };
    for (const [index, station] of numbers.entries()) {
      const place = [starts[index] as number, starts[index + 1] ?? rows, inserted?.[index] ?? 0] as const;
      this.#places.set(station, place);
    }
  }

  get stations(): Iterable<number> {
    return this.#places.keys();
  }

  /** The rows of a station, without copying; undefined if there are none. */
  of(station: number): Series | undefined {
    const place = this.#places.get(station);
    return place && sliceSeries(this.#all, place[0], place[1]);
  }

  /** The rows of all stations. */
  get columns(): Series {
    return this.#all;
  }

  /** The range of rows of a station and the number of inserted rows among them; undefined if there are none. */
  place(station: number): readonly [from: number, to: number, inserted: number] | undefined {
    return this.#places.get(station);
  }

  /** The range of rows of a station in `[from, to)`; undefined if there are none. */
  find(station: number, from: number, to: number): readonly [first: number, end: number] | undefined {
    const place = this.#places.get(station);
    if (place === undefined) return undefined;
    const { times } = this.#all;
    const first = lowerBound(times, from, place[0], place[1]);
    const end = lowerBound(times, to, first, place[1]);
    return first === end ? undefined : [first, end];
  }
}

function unsealRun(blob: Buffer, isVerified: boolean): ReturnType<typeof unseal> {
  try {
    return unseal('run', blob, isVerified);
  } catch (error) {
    throw new DamagedRunError((error as Error).message, stationsOf(blob), error);
  }
}

/**
 * The stations of a damaged run, read from its directory without the envelope; undefined where the directory is damaged
 * too.
 */
function stationsOf(blob: Buffer): number[] | undefined {
  const at = ENVELOPE + DIRECTORY_CHECKSUM;
  if (at + COUNTS > blob.length) return undefined;
  const stations = blob.readUInt32LE(at);
  const end = at + COUNTS + 3 * aligned(stations * 4);
  if (end > blob.length || blob.readUInt32LE(ENVELOPE) !== crc32(blob.subarray(at, end))) return undefined;
  return Array.from({ length: stations }, (_, index) => blob.readUInt32LE(at + COUNTS + index * 4));
}
