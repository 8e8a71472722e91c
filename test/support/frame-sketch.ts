import { crc32 } from 'node:zlib';

/**
 * A frame, which is one piece of binary data of the internal API. A test builds it from the description of the format, without
 * the code under test. Missing fields get the correct value. Tests of faults set fields to wrong values.
 */
export interface Sketch {
  readonly magic?: string;
  readonly kind: number;
  readonly flags?: number;
  readonly length?: bigint;
  readonly rows?: number;
  readonly columns?: number;
  readonly crc?: number;
  readonly zero?: number;
  readonly payload?: Buffer;
}

export const FRAMES = 'application/vnd.weatherd.frames';

export function frame(sketch: Sketch): Buffer {
  const payload = sketch.payload ?? Buffer.alloc(0);
  const header = Buffer.alloc(32);
  header.write(sketch.magic ?? 'WXF1', 0, 'latin1');
  header.writeUInt16LE(sketch.kind, 4);
  header.writeUInt16LE(sketch.flags ?? 0, 6);
  header.writeBigUInt64LE(sketch.length ?? BigInt(payload.length), 8);
  header.writeUInt32LE(sketch.rows ?? 0, 16);
  header.writeUInt32LE(sketch.columns ?? 0, 20);
  header.writeUInt32LE(sketch.crc ?? crc32(payload), 24);
  header.writeUInt32LE(sketch.zero ?? 0, 28);
  return Buffer.concat([header, payload]);
}

export interface SketchRow {
  readonly station: number;
  readonly time: number | bigint;
  /** Values in the order of the columns; NaN for a missing value. */
  readonly values: readonly number[];
}

export interface SketchColumn {
  readonly variable: number;
  readonly type?: 'f64' | 'f32';
}

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
}

export function observationsPayload(columns: readonly SketchColumn[], rows: readonly SketchRow[]): Buffer {
  const descriptors = columns.map(({ variable, type }) => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt16LE(variable, 0);
    bytes.writeUInt16LE(type === 'f32' ? 2 : 1, 2);
    return bytes;
  });
  const stations = Buffer.alloc(rows.length * 4);
  const times = Buffer.alloc(rows.length * 8);
  for (const [row, { station, time }] of rows.entries()) {
    stations.writeUInt32LE(station, row * 4);
    times.writeBigInt64LE(BigInt(time), row * 8);
  }
  const values = columns.map(({ type }, column) => {
    const bytes = Buffer.alloc(rows.length * (type === 'f32' ? 4 : 8));
    for (const [row, { values: all }] of rows.entries()) {
      const value = all[column] ?? Number.NaN;
      if (type === 'f32') bytes.writeFloatLE(value, row * 4);
      else bytes.writeDoubleLE(value, row * 8);
    }
    return pad(bytes);
  });
  return Buffer.concat([...descriptors, pad(stations), times, ...values]);
}

export function observations(columns: readonly SketchColumn[], rows: readonly SketchRow[]): Buffer {
  const payload = observationsPayload(columns, rows);
  return frame({ kind: 1, rows: rows.length, columns: columns.length, payload });
}

export function end(rows: number, frames: number): Buffer {
  const payload = Buffer.alloc(16);
  payload.writeBigUInt64LE(BigInt(rows), 0);
  payload.writeBigUInt64LE(BigInt(frames), 8);
  return frame({ kind: 5, payload });
}

/**
 * Builds a body: observation frames (pieces of binary data with rows), followed by the end frame with the number of these rows
 * and frames.
 */
export function body(...frames: readonly Buffer[]): Buffer {
  const rows = frames.reduce((sum, bytes) => sum + bytes.readUInt32LE(16), 0);
  return Buffer.concat([...frames, end(rows, frames.length)]);
}

export interface SketchStation {
  readonly number?: number;
  readonly id: string;
  readonly name?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly elevation?: number;
}

export function stationRecord(station: SketchStation): Buffer {
  const record = Buffer.alloc(256);
  record.writeUInt32LE(station.number ?? 0, 0);
  record.writeDoubleLE(station.latitude ?? 52, 8);
  record.writeDoubleLE(station.longitude ?? 5, 16);
  record.writeDoubleLE(station.elevation ?? Number.NaN, 24);
  record.write(station.id, 56, 64, 'utf8');
  record.write(station.name ?? station.id, 120, 103, 'utf8');
  return record;
}

export function stationsFrame(...records: readonly Buffer[]): Buffer {
  return frame({ kind: 2, rows: records.length, payload: Buffer.concat(records) });
}

export interface ParsedFrame {
  readonly kind: number;
  readonly flags: number;
  readonly rows: number;
  readonly columns: number;
  readonly payload: Buffer;
}

/**
 * Splits a body into its frames, which are pieces of binary data with a header each. Checks four fields of each header: the first
 * bytes `WXF1` (the magic), the length, the CRC, and the field that must be zero.
 *
 * @throws Error if a check fails
 */
export function parseFrames(bytes: Buffer): ParsedFrame[] {
  const frames: ParsedFrame[] = [];
  for (let at = 0; at < bytes.length;) {
    const header = bytes.subarray(at, at + 32);
    const length = Number(header.readBigUInt64LE(8));
    const payload = Buffer.from(bytes.subarray(at + 32, at + 32 + length));
    if (header.toString('latin1', 0, 4) !== 'WXF1') throw new Error(`The frame at ${at} has a wrong magic.`);
    if (payload.length !== length || length % 8 !== 0)
      throw new Error(`The frame at ${at} has the wrong length ${length}.`);
    if (crc32(payload) !== header.readUInt32LE(24)) throw new Error(`The frame at ${at} has a wrong CRC.`);
    if (header.readUInt32LE(28) !== 0) throw new Error(`The zero field of the frame at ${at} is not zero.`);
    const [kind, flags] = [header.readUInt16LE(4), header.readUInt16LE(6)];
    frames.push({ kind, flags, rows: header.readUInt32LE(16), columns: header.readUInt32LE(20), payload });
    at += 32 + length;
  }
  return frames;
}

/**
 * Splits a complete body into its frames (pieces of binary data). Checks the number of rows and frames in the last frame.
 *
 * @returns all frames before the last one
 * @throws Error if a check fails
 */
export function parseBody(bytes: Buffer): ParsedFrame[] {
  const frames = parseFrames(bytes);
  const last = frames.pop();
  const rows = frames.filter(({ kind }) => kind <= 2).reduce((sum, { rows: some }) => sum + some, 0);
  const counts = [last?.payload.readBigUInt64LE(0), last?.payload.readBigUInt64LE(8)].map(Number);
  if (last?.kind !== 5 || counts[0] !== rows || counts[1] !== frames.length) {
    throw new Error(`The last frame has the kind ${last?.kind} and the counts ${counts.join()}.`);
  }
  return frames;
}

export interface ParsedRow {
  readonly station: number;
  readonly time: number;
  /** Values by the number of their variable; missing values are left out. */
  readonly values: Readonly<Record<number, number>>;
  readonly quality: Readonly<Record<number, number>>;
}

/** The rows of observation frames, which are the pieces of binary data with rows. @throws Error for another kind of frame */
export function rowsOf(frames: readonly ParsedFrame[]): ParsedRow[] {
  return frames.flatMap(({ kind, flags, rows, columns, payload }) => {
    if (kind !== 1) throw new Error(`The frame has the kind ${kind}.`);
    const pads = (size: number) => Math.ceil(size / 8) * 8;
    const variables = Array.from({ length: columns }, (_, column) => payload.readUInt16LE(column * 8));
    const timesAt = columns * 8 + pads(rows * 4);
    const valuesAt = timesAt + rows * 8;
    const qualityAt = valuesAt + columns * rows * 8;
    if (payload.length !== qualityAt + ((flags & 1) === 1 ? columns * pads(rows) : 0)) {
      throw new Error('The payload has a wrong length.');
    }
    return Array.from({ length: rows }, (_, row): ParsedRow => {
      const values: Record<number, number> = {};
      const quality: Record<number, number> = {};
      for (const [column, variable] of variables.entries()) {
        const value = payload.readDoubleLE(valuesAt + (column * rows + row) * 8);
        if (!Number.isNaN(value)) values[variable] = value;
        if ((flags & 1) === 1) quality[variable] = payload[qualityAt + column * pads(rows) + row] as number;
      }
      const time = Number(payload.readBigInt64LE(timesAt + row * 8));
      return { station: payload.readUInt32LE(columns * 8 + row * 4), time, values, quality };
    });
  });
}

export interface ParsedReceipt {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Numbers of the row, the variable and the reason of each listed rejection. */
  readonly listed: readonly (readonly [number, number, number])[];
}

/** Parses a receipt: the only frame of the reply to a write, with counts and rejections. @throws Error for another frame */
export function receiptOf([only, ...others]: readonly ParsedFrame[]): ParsedReceipt {
  if (only?.kind !== 3 || others.length > 0)
    throw new Error(`The frame is not the only receipt; its kind is ${only?.kind}.`);
  const { payload, rows } = only;
  const [inserted = 0, updated = 0, unchanged = 0, rejected = 0] = [0, 8, 16, 24].map((at) =>
    Number(payload.readBigUInt64LE(at)),
  );
  const listed = Array.from({ length: rows }, (_, index) => {
    const at = 32 + index * 16;
    const row = Number(payload.readBigUInt64LE(at));
    return [row, payload.readUInt16LE(at + 8), payload.readUInt16LE(at + 10)] as const;
  });
  return { inserted, updated, unchanged, rejected, listed };
}

export interface ParsedError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/**
 * Parses the last frame (piece of binary data) of a body, which reports an error.
 *
 * @throws Error if the last frame is of another kind
 */
export function errorOf(frames: readonly ParsedFrame[]): ParsedError {
  const payload = frames.at(-1)?.kind === 4 ? frames.at(-1)?.payload : undefined;
  if (payload === undefined)
    throw new Error(`The last frame is not an error; its kind is ${frames.at(-1)?.kind}.`);
  const text = (from: number) => payload.toString('utf8', from, payload.indexOf(0, from));
  return { status: payload.readUInt32LE(0), code: text(8), message: text(64) };
}
