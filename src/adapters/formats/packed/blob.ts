import { crc32 } from 'node:zlib';

/**
 * The envelope of every blob of observations. Little-endian:
 *
 *     offset
 *     0       u32 magic number: the kind of the blob
 *     4       u32 format version of the kind
 *     8       u32 length of the whole blob in bytes
 *     12      u32 CRC-32 (ISO-HDLC, as in zlib) of all bytes from offset 16 on
 *     16      content, in the format of the kind
 *
 * Version 1.0.0 wrote content without an envelope. Such a blob has format version 0 and no checksum.
 */
export const ENVELOPE = 16;

/** The magic number as four characters. Content without an envelope begins with a count, which is always smaller. */
export const MAGIC = {
  chunk: 0x48435857 /* WXCH */,
  run: 0x4e525857 /* WXRN */,
  journal: 0x524a5857 /* WXJR */,
  days: 0x59445857 /* WXDY */,
} as const;
export type BlobKind = keyof typeof MAGIC;
/** The kinds of blobs that hold stored observations. */
export type RowBlobKind = Exclude<BlobKind, 'journal' | 'days'>;

/** The format version of each kind. Earlier ones are read too. */
const VERSIONS: Readonly<Record<BlobKind, number>> = { chunk: 2, run: 2, journal: 1, days: 2 };

/** Thrown for a blob whose bytes are not those that were written. */
export class DamagedBlobError extends Error {
  override readonly name = 'DamagedBlobError';
}

/** @param data the content after `ENVELOPE` free bytes */
export function seal(kind: BlobKind, data: ArrayBuffer): Buffer {
  const blob = Buffer.from(data);
  blob.writeUInt32LE(MAGIC[kind], 0);
  blob.writeUInt32LE(VERSIONS[kind], 4);
  blob.writeUInt32LE(blob.length, 8);
  blob.writeUInt32LE(crc32(blob.subarray(ENVELOPE)), 12);
  return blob;
}

export interface Content {
  /** 0 for a blob without an envelope. */
  readonly version: number;
  /** Begins at a multiple of 8 in its buffer. */
  readonly content: Uint8Array<ArrayBuffer>;
  /** Whether length and checksum are right. */
  readonly isSound: boolean;
}

/**
 * Checks and removes the envelope.
 *
 * @param isVerified whether the checksum need not be checked
 * @throws DamagedBlobError for an unknown version
 */
export function unseal(kind: BlobKind, blob: Buffer, isVerified = false): Content {
  // The database driver does not align buffers.
  const own = (blob.byteOffset % 8 === 0 ? blob : Buffer.from(blob)) as Buffer<ArrayBuffer>;
  if (own.length < ENVELOPE) throw new DamagedBlobError(`it has ${own.length} bytes`);
  if (own.readUInt32LE(0) !== MAGIC[kind]) return { version: 0, content: own, isSound: true };
  const version = own.readUInt32LE(4);
  if (version < 1 || version > VERSIONS[kind]) throw new DamagedBlobError(`its format version is ${version}`);
  const content = own.subarray(ENVELOPE);
  const isSound =
    isVerified || (own.readUInt32LE(8) === own.length && own.readUInt32LE(12) === crc32(content));
  return { version, content, isSound };
}

/**
 * Rounds up to the next multiple of 8. It works beyond 32 bits too, because the count of a damaged blob may be large.
 */
export const aligned = (length: number): number => Math.ceil(length / 8) * 8;
