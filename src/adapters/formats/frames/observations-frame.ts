import type { SentColumn, SentRows } from '#domain/weather/sent-rows.js';
import { type ObservationBatch, sliceSeries, verdictOf } from '#domain/weather/series.js';
import {
  FrameError,
  type FrameHeader,
  FrameSpace,
  HEADER_SIZE,
  KIND,
  padded,
  QUALITY,
} from './frame-header.js';
import type { FrameFormat } from './frame-reader.js';

/** Largest number of rows in a frame. */
export const MAX_FRAME_ROWS = 65_536;
/**
 * Number of rows in a frame (a piece of binary data) that the service writes. Writing so many rows takes about a millisecond, so
 * that other requests do not wait.
 */
const ROWS_PER_FRAME = 8192;
/** Largest number of columns in a frame; greater than the number of variables. */
export const MAX_COLUMNS = 32;

const DESCRIPTOR = 8;
const F64 = 1;
const F32 = 2;
const PASS = 1;
const QUALITIES = { pass: PASS, suspect: 2, fail: 3 } as const;
const HIGH = 2 ** 32;

/**
 * The rows of a received frame (a piece of binary data). Stations and variables are identified by their numbers. The arrays use
 * the memory of the received bytes, without a copy, except for columns of 32-bit floats.
 */
export interface ObservationRows extends SentRows {
  readonly stations: Uint32Array;
}

/** @throws FrameError if the header exceeds a limit or is inconsistent */
function assertObservationsLength({ rows, columns, length, flags }: FrameHeader): void {
  if (rows > MAX_FRAME_ROWS)
    throw new FrameError(`the frame has ${rows} rows, more than ${MAX_FRAME_ROWS}`, 'FRAME_TOO_LARGE');
  if (columns > MAX_COLUMNS) {
    throw new FrameError(`the frame has ${columns} columns, more than ${MAX_COLUMNS}`, 'FRAME_TOO_LARGE');
  }
  const fixed = columns * DESCRIPTOR + padded(rows * 4) + rows * 8;
  const quality = (flags & QUALITY) === 0 ? 0 : columns * padded(rows);
  const [min, max] = [fixed + quality + columns * padded(rows * 4), fixed + quality + columns * rows * 8];
  if (length < min || length > max) {
    const range = min === max ? `${min}` : `from ${min} to ${max}`;
    throw new FrameError(
      `the header has a length of ${length} bytes, but ${rows} rows of ${columns} columns need ${range}`,
    );
  }
}

/**
 * Parses the rows of a payload whose CRC has been checked.
 *
 * @param payload starts at a multiple of 8 in its buffer. The result uses the memory of the buffer
 * @throws FrameError
 */
function readObservations(
  { rows, columns, flags }: FrameHeader,
  payload: Uint8Array<ArrayBuffer>,
): ObservationRows {
  const { buffer, byteOffset: start } = payload;
  const view = new DataView(buffer, start, payload.byteLength);
  const types = readDescriptors(view, columns);
  let at = columns * DESCRIPTOR;
  const stationsAt = at;
  at = skipPadding(payload, at, rows * 4);
  const timesAt = at;
  at += rows * 8;
  const quality = (flags & QUALITY) === 0 ? 0 : columns * padded(rows);
  const size = [...types.values()].reduce((sum, type) => sum + padded(rows * (type === F64 ? 8 : 4)), at);
  if (size + quality !== payload.byteLength) {
    throw new FrameError(
      `the header has a length of ${payload.byteLength} bytes, but the columns need ${size + quality}`,
    );
  }
  const sent: SentColumn[] = [];
  for (const [variable, type] of types) {
    const values =
      type === F64
        ? new Float64Array(buffer, start + at, rows)
        : Float64Array.from(new Float32Array(buffer, start + at, rows));
    sent.push({ variable, values });
    at = skipPadding(payload, at, rows * (type === F64 ? 8 : 4));
  }
  for (let left = quality; left > 0; left -= padded(rows)) {
    const end = at + rows;
    for (let index = at; index < end; index += 1) {
      if ((payload[index] as number) > QUALITIES.fail) {
        throw new FrameError(`byte ${index} of the payload is not a quality from 0 to 3: ${payload[index]}`);
      }
    }
    at = skipPadding(payload, at, rows);
  }
  return {
    stations: new Uint32Array(buffer, start + stationsAt, rows),
    times: readTimes(buffer, start + timesAt, rows),
    columns: sent,
  };
}

/** Type of each column by number of the variable, in the order of the columns. @throws FrameError */
function readDescriptors(view: DataView, columns: number): Map<number, number> {
  const types = new Map<number, number>();
  for (let column = 0; column < columns; column += 1) {
    const at = column * DESCRIPTOR;
    const [variable, type] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (variable === 0) throw new FrameError(`column ${column} has the variable 0, which does not exist`);
    if (types.has(variable)) throw new FrameError(`the variable ${variable} has two columns`);
    if (type !== F64 && type !== F32) throw new FrameError(`column ${column} has the unknown type ${type}`);
    if (view.getUint32(at + 4, true) !== 0) {
      throw new FrameError(`bytes ${at + 4} to ${at + 7} of the payload are not zero`);
    }
    types.set(variable, type);
  }
  return types;
}

/** Converts 64-bit integers to floats in place. Every valid time can be represented exactly as a float. */
function readTimes(buffer: ArrayBuffer, at: number, rows: number): Float64Array {
  const words = new Int32Array(buffer, at, rows * 2);
  const times = new Float64Array(buffer, at, rows);
  for (let row = 0; row < rows; row += 1) {
    const high = words[row * 2 + 1] as number;
    times[row] = high * HIGH + ((words[row * 2] as number) >>> 0);
  }
  return times;
}

/** Offset of the next array. @throws FrameError if a byte of the padding is not zero */
function skipPadding(payload: Uint8Array, at: number, length: number): number {
  const end = at + padded(length);
  for (let index = at + length; index < end; index += 1) {
    if (payload[index] !== 0) throw new FrameError(`byte ${index} of the payload is padding, but not zero`);
  }
  return end;
}

/** A frame as a sequence of pieces, so that its columns need not be copied. */
export interface PiecedFrame {
  readonly pieces: readonly Uint8Array[];
  readonly rows: number;
}

/**
 * Writes rows as frames (pieces of binary data) of bounded size; no frame if there are no rows.
 *
 * @param variables numbers of the variables in the order of the columns; a variable without values gets a column of NaN.
 *   Undefined means that each frame has columns only for the variables that have a value in it
 * @param withQuality whether quality flags follow the values
 */
export function* observationFrames(
  batch: ObservationBatch,
  variables: readonly number[] | undefined,
  withQuality: boolean,
): Generator<PiecedFrame> {
  for (let from = 0; from < batch.times.length; from += ROWS_PER_FRAME) {
    const to = Math.min(from + ROWS_PER_FRAME, batch.times.length);
    const part = { ...sliceSeries(batch, from, to), stations: batch.stations.subarray(from, to) };
    yield { pieces: observationsFrame(part, variables ?? present(part), withQuality), rows: to - from };
  }
}

function present({ values }: ObservationBatch): number[] {
  const columns = [...values].filter(([, column]) => !column.every(Number.isNaN));
  return columns.map(([variable]) => variable).sort((a, b) => a - b);
}

function observationsFrame(
  { stations, times, values, flags }: ObservationBatch,
  variables: readonly number[],
  withQuality: boolean,
): Uint8Array[] {
  const rows = times.length;
  const columns = variables.map(
    (variable) => values.get(variable) ?? new Float64Array(rows).fill(Number.NaN),
  );
  const numbersAt = HEADER_SIZE + columns.length * DESCRIPTOR;
  const timesAt = numbersAt + padded(rows * 4);
  const space = new FrameSpace(timesAt + rows * 8 - HEADER_SIZE);
  const { buffer } = space;
  const descriptors = new Uint16Array(buffer, HEADER_SIZE, columns.length * 4);
  for (const [column, variable] of variables.entries()) descriptors.set([variable, F64], column * 4);
  new Uint32Array(buffer, numbersAt, rows).set(stations);
  writeTimes(times, buffer, timesAt);
  const columnPieces = columns.map(
    (column) => new Uint8Array(column.buffer, column.byteOffset, column.byteLength),
  );
  if (withQuality) {
    for (const [index, variable] of variables.entries()) {
      columnPieces.push(qualities(columns[index] as Float64Array, flags.get(variable)));
    }
  }
  const sealed = space.seal(KIND.observations, rows, columns.length, withQuality ? QUALITY : 0, columnPieces);
  return [sealed, ...columnPieces];
}

function qualities(column: Float64Array, flags: Uint8Array | undefined): Uint8Array {
  const bytes = new Uint8Array(padded(column.length));
  for (let row = 0; row < column.length; row += 1) {
    if (Number.isNaN(column[row])) continue;
    const flag = flags?.[row] ?? 0;
    bytes[row] = flag === 0 ? PASS : QUALITIES[verdictOf(flag)];
  }
  return bytes;
}

function writeTimes(times: Float64Array, buffer: ArrayBuffer, at: number): void {
  const words = new Int32Array(buffer, at, times.length * 2);
  for (let row = 0; row < times.length; row += 1) {
    const time = times[row] as number;
    const high = Math.floor(time / HIGH);
    words[row * 2] = time - high * HIGH;
    words[row * 2 + 1] = high;
  }
}

export const OBSERVATIONS: FrameFormat<ObservationRows> = {
  kind: KIND.observations,
  assertLength: assertObservationsLength,
  read: readObservations,
};
