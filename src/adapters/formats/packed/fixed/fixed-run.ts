import { crc32 } from 'node:zlib';
import { aligned, DamagedBlobError, ENVELOPE } from '../blob.js';
import type { RunContent } from '../columns/run-directory.js';

/**
 * The content of a run in format versions 0 and 1, which are only read. A run is a blob with the rows of one or more stations
 * that one commit wrote (run-codec.ts). The commit inserted some of these rows, and changed the others, which were stored
 * already. A flag column has the quality flags of a variable. All numbers are little-endian, and each part is padded to a
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
 * Format version 0 has neither the checksum nor the numbers of inserted rows.
 */
const COUNTS = 16;
const DIRECTORY_CHECKSUM = 8;

/** @throws DamagedBlobError */
export function readFixedRun(version: number, content: Uint8Array<ArrayBuffer>): RunContent {
  const { buffer: data, byteOffset: start } = content;
  const end = start + content.length;
  let at = start + (version === 0 ? 0 : DIRECTORY_CHECKSUM);
  if (at + COUNTS > end) throw new DamagedBlobError('it is too short');
  const [stations = 0, rows = 0, columns = 0, flagged = 0] = new Uint32Array(data, at, 4);
  at += COUNTS;
  const lists = version === 0 ? 2 : 3;
  // The length that follows from the counts is compared with the real length, because a blob without a checksum may have wrong
  // counts.
  const length =
    at +
    lists * aligned(stations * 4) +
    aligned(columns * 4) +
    aligned(flagged * 4) +
    rows * 8 * (1 + columns) +
    flagged * aligned(rows);
  if (length !== end) throw new DamagedBlobError('its length differs from the length of its parts');
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
  return {
    directory: { stations: numbers, starts, inserted },
    times,
    width: columns,
    decode: (target, first, behind, into) => {
      target.times.set(times.subarray(first, behind), into);
      for (const [variable, column] of values)
        target.column(variable)?.set(column.subarray(first, behind), into);
      for (const [variable, column] of flags)
        if (target.has(variable)) target.flag(variable).set(column.subarray(first, behind), into);
    },
  };
}

/**
 * Returns the numbers of the stations of a damaged run (the packed rows of one commit) of format version 1. They are read from
 * the directory of the run, which lists the stations and has its own checksum.
 *
 * @returns undefined if the directory is damaged as well
 */
export function stationsOfFixedRun(blob: Buffer): readonly number[] | undefined {
  const at = ENVELOPE + DIRECTORY_CHECKSUM;
  if (at + COUNTS > blob.length) return undefined;
  const stations = blob.readUInt32LE(at);
  const end = at + COUNTS + 3 * aligned(stations * 4);
  if (end > blob.length || blob.readUInt32LE(ENVELOPE) !== crc32(blob.subarray(at, end))) return undefined;
  return Array.from({ length: stations }, (_, index) => blob.readUInt32LE(at + COUNTS + index * 4));
}
