import { crc32 } from 'node:zlib';
import { lowerBound, type Series, sliceSeries } from '../../../domain/weather/series.js';
import { aligned, DamagedBlobError, ENVELOPE, seal, unseal } from './blob.js';

/**
 * What one commit wrote, as a blob: sorted by (station, time), and never changed until it is merged into chunks and deleted.
 * An envelope (blob.ts), and behind it this content. Little-endian, every part at a multiple of 8 bytes:
 *
 *     u32 CRC-32 of the directory, u32 zero
 *     directory: u32 stations, u32 rows, u32 columns, u32 flag columns
 *                u32 station numbers; u32 first row of each; u32 rows of each that did not exist before the commit
 *     u32 variables of the columns; u32 variables of the flag columns
 *     f64 times; f64 values by column; u8 flags by flag column
 *
 * The directory has a checksum of its own, so that a damaged run still tells whose data it held. Format version 0 has neither
 * that checksum nor the numbers of rows that are new.
 */
const COUNTS = 16;
const DIRECTORY_CHECKSUM = 8;

/** Which rows of the columns are a station's. */
export interface RunPlace {
  readonly station: number;
  readonly from: number;
  /** Rows of the station that did not exist before the commit. */
  readonly inserted: number;
}

/** @param places by rising number of station, one after the other without a gap */
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
  /** Numbers of the stations whose rows it held; undefined where not even that can be read. */
  readonly stations: readonly number[] | undefined;

  constructor(reason: string, stations: readonly number[] | undefined, cause?: unknown) {
    super(reason, { cause });
    this.stations = stations;
  }
}

/** A run that has been read. */
export class Run {
  readonly id: number;
  readonly rows: number;
  /** Of the blob. */
  readonly version: number;
  readonly #places = new Map<number, readonly [from: number, to: number, inserted: number]>();
  readonly #all: Series;

  /**
   * @param isVerified whether the checksums need no look, since the blob has just been made
   * @throws DamagedRunError
   */
  constructor(id: number, blob: Buffer, isVerified = false) {
    this.id = id;
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
    // Of a blob without a checksum the lengths may be wrong.
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

  /** The rows of a station, without a copy; undefined when there are none. */
  of(station: number): Series | undefined {
    const place = this.#places.get(station);
    return place && sliceSeries(this.#all, place[0], place[1]);
  }

  /** Rows of all stations. */
  get columns(): Series {
    return this.#all;
  }

  /** Which rows are a station's, and how many of them did not exist before; undefined when there are none. */
  place(station: number): readonly [from: number, to: number, inserted: number] | undefined {
    return this.#places.get(station);
  }

  /** Which rows are of a station and in `[from, to)`; undefined when there are none. */
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

/** Whose rows a damaged run held, by its directory alone, whatever the envelope says; undefined where that is damaged too. */
function stationsOf(blob: Buffer): number[] | undefined {
  const at = ENVELOPE + DIRECTORY_CHECKSUM;
  if (at + COUNTS > blob.length) return undefined;
  const stations = blob.readUInt32LE(at);
  const end = at + COUNTS + 3 * aligned(stations * 4);
  if (end > blob.length || blob.readUInt32LE(ENVELOPE) !== crc32(blob.subarray(at, end))) return undefined;
  return Array.from({ length: stations }, (_, index) => blob.readUInt32LE(at + COUNTS + index * 4));
}
