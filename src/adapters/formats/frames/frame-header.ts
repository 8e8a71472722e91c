import { crc32 } from 'node:zlib';

/**
 * The header of a frame. A frame is a piece of binary data with many rows, in which the internal API sends and receives
 * observations; docs/frames.md describes its format for implementers. All numbers are little-endian, which is the byte order of
 * x86 and ARM machines.
 */

export const FRAMES_TYPE = 'application/vnd.weatherd.frames';

export const KIND = { observations: 1, stations: 2, receipt: 3, error: 4, end: 5 } as const;
export type FrameKind = (typeof KIND)[keyof typeof KIND];

/** Bit of `flags`: quality flags follow the values, one byte for each value. */
export const QUALITY = 1;

export const HEADER_SIZE = 32;
/** Largest length of a payload, in bytes. */
const LENGTH_LIMIT = 2n ** 40n;
const MAGIC = 0x31465857; // `WXF1`

export interface FrameHeader {
  readonly kind: FrameKind;
  readonly flags: number;
  /** Number of bytes in the payload. */
  readonly length: number;
  readonly rows: number;
  readonly columns: number;
  /** CRC of the payload. */
  readonly crc: number;
}

/**
 * An error in a received frame (a piece of binary data with many rows). The message names the broken rule and its position in the
 * body.
 */
export class FrameError extends Error {
  /** The limit of the service that the frame exceeds; undefined if the frame breaks the format instead. */
  readonly limit: 'FRAME_TOO_LARGE' | 'FRAMES_TOO_MANY' | undefined;

  constructor(message: string, limit?: FrameError['limit']) {
    const stack = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stack;
    this.limit = limit;
  }

  static {
    this.prototype.name = 'FrameError';
  }
}

/** The number of bytes after padding to a multiple of 8. */
export function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/**
 * The memory for a new frame (a piece of binary data: a header, then a payload). `bytes` has 32 free bytes for the header,
 * followed by `length` bytes for the payload. The caller first writes the payload; then `seal` writes the header. If the payload
 * is long, `bytes` may have only its beginning.
 */
export class FrameSpace {
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(length: number) {
    this.bytes = new Uint8Array(HEADER_SIZE + length);
  }

  get buffer(): ArrayBuffer {
    return this.bytes.buffer;
  }

  /**
   * Writes the header at the beginning of `bytes`, with the length and the CRC of the payload.
   *
   * @param otherPieces the rest of the payload, if `bytes` has only its beginning. The caller sends these pieces after `bytes`
   * @returns `bytes`
   */
  seal(
    kind: FrameKind,
    rows: number,
    columns = 0,
    flags = 0,
    otherPieces: readonly Uint8Array[] = [],
  ): Uint8Array<ArrayBuffer> {
    const view = new DataView(this.buffer);
    const length = otherPieces.reduce(
      (sum, piece) => sum + piece.byteLength,
      this.bytes.length - HEADER_SIZE,
    );
    view.setUint32(0, MAGIC, true);
    view.setUint16(4, kind, true);
    view.setUint16(6, flags, true);
    view.setBigUint64(8, BigInt(length), true);
    view.setUint32(16, rows, true);
    view.setUint32(20, columns, true);
    const crc = otherPieces.reduce(
      (sum, piece) => crc32(piece, sum),
      crc32(this.bytes.subarray(HEADER_SIZE)),
    );
    view.setUint32(24, crc, true);
    return this.bytes;
  }
}

/** Parses a header of 32 bytes. @throws FrameError */
export function readHeader(bytes: Uint8Array): FrameHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_SIZE);
  if (view.getUint32(0, true) !== MAGIC) throw new FrameError('the magic number is not WXF1');
  const kind = view.getUint16(4, true);
  if (!isKind(kind)) throw new FrameError(`the kind ${kind} does not exist`);
  const flags = view.getUint16(6, true);
  if ((flags & ~(kind === KIND.observations ? QUALITY : 0)) !== 0) {
    throw new FrameError(`a frame of kind ${kind} cannot have the flags 0x${flags.toString(16)}`);
  }
  const length = view.getBigUint64(8, true);
  if (length > LENGTH_LIMIT) throw new FrameError(`the length of ${length} bytes is too large for a frame`);
  if (length % 8n !== 0n) throw new FrameError(`the length of ${length} bytes is not a multiple of 8`);
  if (view.getUint32(28, true) !== 0) throw new FrameError('bytes 28 to 31 of the header are not zero');
  return {
    kind,
    flags,
    length: Number(length),
    rows: view.getUint32(16, true),
    columns: view.getUint32(20, true),
    crc: view.getUint32(24, true),
  };
}

function isKind(kind: number): kind is FrameKind {
  return kind >= KIND.observations && kind <= KIND.end;
}
