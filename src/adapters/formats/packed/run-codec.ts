import { crc32 } from 'node:zlib';
import { lowerBound, type Series } from '#domain/weather/series.js';
import {
  type BlobKey,
  contentStart,
  DamagedBlobError,
  ENVELOPE,
  keyedChecksum,
  seal,
  unseal,
} from './blob.js';
import { ColumnPacker } from './columns/column-packer.js';
import { readFixedRun, stationsOfFixedRun } from './fixed/fixed-run.js';
import { packDirectory, readDirectory, type RunContent, type RunKey } from './columns/run-directory.js';
import { type ColumnTarget, packSeries, PackedSeries, SeriesTarget } from './columns/packed-series.js';

/**
 * A run: the rows that one commit wrote, sorted by station and time, in one blob. A run does not change. Later its rows are
 * merged into chunks (each with the rows of one station for some days), and the run is deleted.
 *
 * The blob begins with the envelope (blob.ts), which has a checksum. The content follows, from format version 2 on:
 *
 *     part             bytes  content
 *     checksum         4      u32 CRC-32 of the key (blob.ts) and of the directory; in version 2 only of the directory
 *     length           4      u32 length of the directory
 *     directory               which rows belong to which station (run-directory.ts)
 *     rows                    times, values and flags (packed-series.ts)
 *
 * The directory has its own checksum, so that the stations of a damaged run can still be read.
 *
 * Columns of values are packed as offsets, which are differences from the smallest integer of the column (packed-integers.ts).
 * Offsets are fast to write, and the rows of a station can be read without the other rows. Versions 0 and 1 are in fixed-run.ts.
 */
const DIRECTORY_AT = 8;

export type { RunKey as RunPlace } from './columns/run-directory.js';

/**
 * Encodes a run: the rows that one commit wrote, in one blob.
 *
 * @param key numbers that identify the run; the checksum covers them (blob.ts)
 * @param places the first row of each station in `series`, in rising order of station number. The rows of a station end where the
 *   rows of the next station begin
 */
export function encodeRun(key: BlobKey, places: readonly RunKey[], series: Series): Buffer {
  const directory = packDirectory(places);
  const packer = new ColumnPacker(series.times.length, series.values.size + 1);
  packSeries(packer, series, false);
  const data = packer.finish(ENVELOPE + DIRECTORY_AT + directory.length);
  new Uint32Array(data, ENVELOPE, 2).set([keyedChecksum(key, directory), directory.length]);
  new Uint8Array(data).set(directory, ENVELOPE + DIRECTORY_AT);
  return seal('run', key, data);
}

/** The error for a run (the packed rows of one commit) that cannot be read. */
export class DamagedRunError extends DamagedBlobError {
  /**
   * Numbers of the stations that have rows in the damaged run (the packed rows of one commit); undefined if they cannot be read.
   */
  readonly stations: readonly number[] | undefined;

  constructor(cause: DamagedBlobError, stations: readonly number[] | undefined) {
    super(cause.message, { cause });
    this.stations = stations;
  }
}

/**
 * A run (the packed rows that one commit wrote) whose blob has been opened. The rows stay packed, because a thread may have
 * opened many runs of thousands of stations. Rows are decoded when they are needed.
 */
export class Run {
  readonly id: number;
  /** Format version of the blob. */
  readonly version: number;
  /** Numbers of the stations with rows in the run, in ascending order. */
  readonly stations: Uint32Array;
  /** The first row of each station. */
  readonly #starts: Uint32Array;
  /** Number of new rows of each station; undefined if unknown. */
  readonly #inserted: Uint32Array | undefined;
  readonly #content: RunContent;
  /** Bytes of the blob. */
  readonly #length: number;

  /**
   * @param key numbers that identify the run, as in `encodeRun`
   * @param isVerified true if the blob was just written, so that its checksums need no test
   * @throws DamagedRunError
   */
  constructor(id: number, key: BlobKey, blob: Buffer, isVerified = false) {
    const { version, content } = openRun(key, blob, isVerified);
    const { stations, starts, inserted } = content.directory;
    this.id = id;
    this.version = version;
    this.#content = content;
    this.#length = blob.length;
    this.stations = new Uint32Array(stations);
    this.#starts = new Uint32Array(starts);
    this.#inserted = inserted && new Uint32Array(inserted);
  }

  get rows(): number {
    return this.#content.times.length;
  }

  /** Number of variables. */
  get width(): number {
    return this.#content.width;
  }

  /** Memory of the run in bytes: the blob, the times and the places of the stations. */
  get bytes(): number {
    return this.#length + this.rows * 8 + this.stations.length * STATION_BYTES;
  }

  /** The times of all rows, in milliseconds since 1970-01-01T00:00:00Z. */
  get times(): Float64Array {
    return this.#content.times;
  }

  /** Whether the run has rows of a station. */
  has(station: number): boolean {
    return this.stations[indexOf(this.stations, station)] === station;
  }

  /** The rows of a station; undefined if there are none. */
  of(station: number): Series | undefined {
    const place = this.place(station);
    return place && this.read(place[0], place[1]);
  }

  /** Reads the rows from `first` to `end` (not included). */
  read(first: number, end: number): Series {
    const target = new SeriesTarget(end - first);
    this.decode(target, first, end, 0);
    return target.series;
  }

  /** Reads the rows from `first` to `end` (not included) into the rows of `target` from `at` on. */
  decode(target: ColumnTarget, first: number, end: number, at: number): void {
    this.#content.decode(target, first, end, at);
  }

  /** Reads the rows of all stations. */
  get columns(): Series {
    return this.read(0, this.rows);
  }

  /** The range of the rows of the stations from `first` to `end` (not included). */
  rowsBetween(first: number, end: number): readonly [from: number, to: number] {
    return [this.#startOf(indexOf(this.stations, first)), this.#startOf(indexOf(this.stations, end))];
  }

  /**
   * The range of the rows of a station, and the number of new rows among them; 0 if this number is unknown. A row is new if the
   * station had no row of the same time before. The result is undefined if there are no rows of the station.
   */
  place(station: number): readonly [from: number, to: number, inserted: number] | undefined {
    const index = indexOf(this.stations, station);
    if (this.stations[index] !== station) return undefined;
    return [this.#startOf(index), this.#startOf(index + 1), this.#inserted?.[index] ?? 0];
  }

  /**
   * The range of the rows of a station whose times are in `[from, to)`. Undefined if the run (the packed rows of one commit) has
   * no such rows.
   */
  find(station: number, from: number, to: number): readonly [first: number, end: number] | undefined {
    const index = indexOf(this.stations, station);
    if (this.stations[index] !== station) return undefined;
    const { times } = this.#content;
    const behind = this.#startOf(index + 1);
    const first = lowerBound(times, from, this.#startOf(index), behind);
    if (first === behind || (times[first] as number) >= to) return undefined;
    return [first, lowerBound(times, to, first, behind)];
  }

  /** Writes the station of each row from `first` to `end` (not included) into `target` from `at` on. */
  fillStations(target: Uint32Array, first: number, end: number, at: number): void {
    let index = indexOf(this.#starts, first);
    if (this.#startOf(index) > first) index -= 1;
    for (let row = first; row < end; index += 1) {
      const behind = Math.min(end, this.#startOf(index + 1));
      target.fill(this.stations[index] as number, at + row - first, at + behind - first);
      row = behind;
    }
  }

  #startOf(index: number): number {
    return this.#starts[index] ?? this.rows;
  }
}

/** Memory for the place of a station: its number, its first row and the number of its new rows, with 4 bytes each. */
const STATION_BYTES = 12;

/** Index of the first number that is `number` or larger; the numbers are different, and in ascending order. */
function indexOf(numbers: Uint32Array, number: number): number {
  const { length } = numbers;
  // Stations often have successive numbers, and one row each.
  const guess = number - (numbers[0] ?? 0);
  if (guess <= 0) return 0;
  if (numbers[guess] === number) return guess;
  if (number > (numbers[length - 1] ?? 0)) return length;
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @throws DamagedRunError */
function openRun(
  key: BlobKey,
  blob: Buffer,
  isVerified: boolean,
): { readonly version: number; readonly content: RunContent } {
  try {
    const { version, content, isValid } = unseal('run', key, blob, isVerified);
    if (!isValid) throw new DamagedBlobError('its checksum is wrong');
    return { version, content: version < 2 ? readFixedRun(version, content) : readPackedRun(content) };
  } catch (error) {
    if (!(error instanceof DamagedBlobError)) throw error;
    throw new DamagedRunError(error, stationsOf(key, blob));
  }
}

/** @throws DamagedBlobError */
function readPackedRun(content: Uint8Array<ArrayBuffer>): RunContent {
  if (content.length < DIRECTORY_AT) throw new DamagedBlobError('it is too short');
  const [, length = 0] = new Uint32Array(content.buffer, content.byteOffset, 2);
  const end = DIRECTORY_AT + length;
  if (length % 4 !== 0 || end > content.length) throw new DamagedBlobError('its directory is malformed');
  const series = new PackedSeries(content, end, 0);
  return {
    directory: readDirectory(content.subarray(DIRECTORY_AT, end)),
    times: series.times,
    width: series.width,
    decode: (target, first, behind, at) => series.decode(target, first, behind, at),
  };
}

/**
 * Finds the stations of a damaged run. They are read from the directory of the run, which lists the stations and has its own
 * checksum.
 *
 * The place of the directory depends on the format version. The version is stored in front of the directory, in the envelope,
 * which may be damaged as well. The directory is therefore looked for at the place of each version.
 *
 * @returns undefined if no place has a directory with the right checksum. From version 3 on, the checksum covers the key of the
 *   run, so that the directory of another run has a wrong checksum
 */
function stationsOf(key: BlobKey, blob: Buffer): readonly number[] | undefined {
  if (blob.length < ENVELOPE + DIRECTORY_AT) return undefined;
  for (const start of new Set([ENVELOPE, contentStart(blob)])) {
    const at = start + DIRECTORY_AT;
    const end = at > blob.length ? Infinity : at + blob.readUInt32LE(at - 4);
    if (end > blob.length) continue;
    const directory = blob.subarray(at, end);
    const checksum = blob.readUInt32LE(at - 8);
    if (checksum !== keyedChecksum(key, directory) && checksum !== crc32(directory)) continue;
    // The directory is copied into its own buffer, because `readDirectory` needs bytes that begin at a multiple of 4 in their
    // buffer.
    return Array.from(readDirectory(new Uint8Array(directory)).stations);
  }
  return stationsOfFixedRun(blob);
}
