import type { ByteReader, ByteWriter } from './byte-lists.js';

/**
 * Writes the quality flags of one variable in a chunk or a run, the two kinds of blobs that contain rows (blob.ts). A flag is a
 * byte for a value. Rows without flags need no space:
 *
 *     part        bytes      content
 *     variable    1 or more  number of the variable
 *     ranges      1 or more  number of ranges of rows with equal flags
 *     range       1 or more  number of rows without flags between the previous range and this range
 *                 1 or more  number of rows, less 1
 *                 1          flags
 */
export function writeFlags(writer: ByteWriter, variable: number, flags: Uint8Array): void {
  const starts = startsOf(flags);
  writer.number(variable);
  writer.number(starts.length);
  let behind = 0;
  for (const start of starts) {
    const value = flags[start] as number;
    let end = start + 1;
    while (end < flags.length && flags[end] === value) end += 1;
    writer.number(start - behind);
    writer.number(end - start - 1);
    writer.bytes.push(value);
    behind = end;
  }
}

/** The first row of each range of successive rows that have the same flags. */
function startsOf(flags: Uint8Array): number[] {
  const starts: number[] = [];
  let before = 0;
  for (let row = 0; row < flags.length; row += 1) {
    const value = flags[row] as number;
    if (value !== before && value !== 0) starts.push(row);
    before = value;
  }
  return starts;
}

/**
 * Reads the flags of one variable from the current position of `reader`. For each range of rows with equal flags, calls `put`
 * with the first row, the row after the last row and the flags.
 *
 * @returns the variable
 * @throws DamagedBlobError
 */
export function readFlags(
  reader: ByteReader,
  put: (start: number, end: number, flags: number) => void,
): number {
  const variable = reader.number();
  let behind = 0;
  for (let remaining = reader.number(); remaining > 0; remaining -= 1) {
    const start = behind + reader.number();
    behind = start + reader.number() + 1;
    put(start, behind, reader.byte());
  }
  return variable;
}

export function hasFlag(flags: Uint8Array): boolean {
  return flags.some((value) => value !== 0);
}
