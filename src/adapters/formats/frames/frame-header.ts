import { crc32 } from 'node:zlib';

/** The format is described for implementers in docs/frames.md. Little-endian, as every machine that runs Node.js is. */

export const FRAMES_TYPE = 'application/vnd.weatherd.frames';

export const KIND = { observations: 1, stations: 2, receipt: 3, error: 4, end: 5 } as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

/** Bit of `flags`: bytes of quality follow the values. */
export const QUALITY = 1;

export const HEADER_SIZE = 32;
/** Bytes of a payload that no frame has. */
const LONGEST = 2n ** 40n;
const MAGIC = 0x31465857; // `WXF1`

export interface FrameHeader {
  readonly kind: Kind;
  readonly flags: number;
  /** Bytes of the payload. */
  readonly length: number;
  readonly rows: number;
  readonly columns: number;
  /** Of the payload. */
  readonly crc: number;
}

/** An error in a frame: which rule it breaks, and where. */
export class FrameError extends Error {
  /** Whether it is a limit of the service that the frame breaks, not the format. */
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

export function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/** A frame with room for its payload, or for the beginning of it. Its header is written when the payload is there. */
export class FrameSpace {
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(length: number) {
    this.bytes = new Uint8Array(HEADER_SIZE + length);
  }

  get buffer(): ArrayBuffer {
    return this.bytes.buffer;
  }

  /** Writes the header over the payload as it is now, with the `rest` of it that lies elsewhere. */
  seal(
    kind: Kind,
    rows: number,
    columns = 0,
    flags = 0,
    rest: readonly Uint8Array[] = [],
  ): Uint8Array<ArrayBuffer> {
    const view = new DataView(this.buffer);
    const length = rest.reduce((sum, piece) => sum + piece.byteLength, this.bytes.length - HEADER_SIZE);
    view.setUint32(0, MAGIC, true);
    view.setUint16(4, kind, true);
    view.setUint16(6, flags, true);
    view.setBigUint64(8, BigInt(length), true);
    view.setUint32(16, rows, true);
    view.setUint32(20, columns, true);
    const crc = rest.reduce((sum, piece) => crc32(piece, sum), crc32(this.bytes.subarray(HEADER_SIZE)));
    view.setUint32(24, crc, true);
    return this.bytes;
  }
}

/** Reads a header of 32 bytes. @throws FrameError */
export function readHeader(bytes: Uint8Array): FrameHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_SIZE);
  if (view.getUint32(0, true) !== MAGIC) throw new FrameError('its magic is not WXF1');
  const kind = view.getUint16(4, true);
  if (!isKind(kind)) throw new FrameError(`there is no kind ${kind}`);
  const flags = view.getUint16(6, true);
  if ((flags & ~(kind === KIND.observations ? QUALITY : 0)) !== 0) {
    throw new FrameError(`a frame of kind ${kind} cannot have the flags 0x${flags.toString(16)}`);
  }
  const length = view.getBigUint64(8, true);
  if (length > LONGEST) throw new FrameError(`its length of ${length} bytes is that of no frame`);
  if (length % 8n !== 0n) throw new FrameError(`its length of ${length} bytes is no multiple of 8`);
  if (view.getUint32(28, true) !== 0) throw new FrameError('bytes 28 to 31 of its header are not zero');
  return {
    kind,
    flags,
    length: Number(length),
    rows: view.getUint32(16, true),
    columns: view.getUint32(20, true),
    crc: view.getUint32(24, true),
  };
}

function isKind(kind: number): kind is Kind {
  return kind >= KIND.observations && kind <= KIND.end;
}
