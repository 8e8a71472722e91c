import { crc32 } from 'node:zlib';

/**
 * The envelope: the bytes with which every blob of observations begins. A blob is a binary value that a database stores under a
 * key. All numbers are little-endian:
 *
 *     offset
 *     0       u32 magic number: the kind of the blob
 *     4       u16 format version of the kind
 *     6       u16 length of the sections, in units of 8 bytes
 *     8       u32 length of the whole blob in bytes
 *     12      u32 CRC-32 (ISO-HDLC, as in zlib) of the key, of the bytes from offset 0 to 11, and of all bytes from offset 16 on
 *     16      sections: further facts about the content
 *             content, in the format of the kind
 *
 * In versions 1 and 2 there are no sections, and the checksum covers only the bytes from offset 16 on. Version 1.0.0 of weatherd
 * wrote content without an envelope. Such a blob has format version 0 and no checksum.
 *
 * Sections. A program skips sections of unknown types, so that new sections need no new format version. Each section is padded
 * with zeros to a multiple of 8 bytes:
 *
 *     part    bytes  content
 *     type    4      u32; no type is in use yet
 *     length  4      u32 length of the bytes
 *     bytes          in the format of the type
 *
 * Kinds with rows. There are three kinds of blobs with rows:
 *
 * - A run of a commit has the rows that one commit writes. In SQLite a commit writes one run with all stations. In PostgreSQL it
 *   writes one run for each block, which is 64 stations with successive numbers.
 * - A run of a block is larger. SQLite may merge the rows of several commits into it, for the stations of one block.
 * - A chunk has the rows of one station in some UTC days. Finally all rows are merged into chunks.
 *
 * Key. The key is not in the blob, so that it takes no space. The checksum also covers the key, so that a blob under a wrong key
 * has a wrong checksum. The key consists of float64 numbers:
 *
 *     kind                   key
 *     chunk                  number of the station, first day, number of days
 *     run of a commit        number of the block (0 in SQLite), id
 *     run of a block         block, level, through, since, rows, stations, first, last (columns of the table `block_run`, which
 *                            block-run.ts explains)
 *     journal entry          number of the import
 *     daily aggregates       number of the station, start, end, CRC-32 of the name of the time zone
 *     list of chunks         number of the station
 */
export const ENVELOPE = 16;

/**
 * The magic number of each kind of blob, as four characters. The magic number is the beginning of the envelope. Blobs of version
 * 1.0.0 have no envelope and begin with a count, which is always less than a magic number.
 */
export const MAGIC = {
  chunk: 0x48435857 /* WXCH */,
  run: 0x4e525857 /* WXRN */,
  journal: 0x524a5857 /* WXJR */,
  days: 0x59445857 /* WXDY */,
  list: 0x534c5857 /* WXLS */,
} as const;
export type BlobKind = keyof typeof MAGIC;
/** The kinds of blobs that contain stored observations. */
export type RowBlobKind = 'chunk' | 'run';

/** The format version that is written. Earlier versions can be read. */
export const FORMAT_VERSION = 3;
/** The first format version in which the checksum of a blob also covers the key under which the blob is stored. */
const KEYED = 3;
/**
 * The largest possible count at the beginning of a blob without an envelope (header). Such a blob begins with a count of rows or
 * stations instead.
 */
const MAX_WITHOUT_ENVELOPE = 0x0400_0000;
/** Bytes of the envelope before the checksum. */
const HEAD = 12;
/** A key consists of at most this many numbers. */
const MAX_NUMBERS = 10;

/** The key of a blob. */
export type BlobKey = readonly number[];

/** Memory that is reused for every blob. It has space for the key and for the bytes before the checksum. */
const SCRATCH = new ArrayBuffer(MAX_NUMBERS * 8 + 16);
const NUMBERS = new Float64Array(SCRATCH);
const WORDS = new Uint32Array(SCRATCH);
/**
 * Views of `SCRATCH`. Both lists have a view for each length of a key: the view at index 3 is for a key of 3 numbers. `KEY_BYTES`
 * has the key alone. `HEAD_BYTES` has the key and the bytes of the envelope before the checksum.
 */
const KEY_BYTES = Array.from(
  { length: MAX_NUMBERS + 1 },
  (_, count) => new Uint8Array(SCRATCH, 0, count * 8),
);
const HEAD_BYTES = KEY_BYTES.map(({ length }) => new Uint8Array(SCRATCH, 0, length + HEAD));

/** A blob whose bytes differ from the bytes that were written. The message is a clause such as "its checksum is wrong". */
export class DamagedBlobError extends Error {
  override readonly name = 'DamagedBlobError';
}

/**
 * Writes the envelope of a blob, which is a header with its kind, its length and a checksum.
 *
 * @param data `ENVELOPE` free bytes, and after them the sections and the content
 * @param sections length of the sections in bytes
 */
export function seal(kind: BlobKind, key: BlobKey, data: ArrayBuffer, sections = 0): Buffer {
  const blob = Buffer.from(data);
  blob.writeUInt32LE(MAGIC[kind], 0);
  blob.writeUInt16LE(FORMAT_VERSION, 4);
  blob.writeUInt16LE(sections / 8, 6);
  blob.writeUInt32LE(blob.length, 8);
  blob.writeUInt32LE(checksumOf(blob, blob.subarray(ENVELOPE), key), 12);
  return blob;
}

/** CRC-32 of a key and bytes that belong to it. */
export function keyedChecksum(key: BlobKey, bytes: Uint8Array): number {
  writeKey(key);
  return crc32(bytes, crc32(KEY_BYTES[key.length] as Uint8Array));
}

function checksumOf(blob: Buffer, body: Buffer, key: BlobKey): number {
  writeKey(key);
  const word = key.length * 2;
  for (let at = 0; at < 3; at += 1) WORDS[word + at] = blob.readUInt32LE(at * 4);
  return crc32(body, crc32(HEAD_BYTES[key.length] as Uint8Array));
}

function writeKey(key: BlobKey): void {
  for (let index = 0; index < key.length; index += 1) NUMBERS[index] = key[index] as number;
}

export interface BlobContent {
  /** The format version; 0 for a blob of version 1.0.0 of weatherd, which has no envelope (header). */
  readonly version: number;
  /** The bytes begin at a multiple of 8 in their buffer. */
  readonly content: Uint8Array<ArrayBuffer>;
  /** Whether the length and the checksum are correct. */
  readonly isValid: boolean;
}

/**
 * Returns the content of a blob without its envelope (the header with length and checksum) and its sections (further facts).
 * Tests the length and the checksum.
 *
 * @param isVerified whether to skip the test of length and checksum, because the test was made before
 * @throws DamagedBlobError for an unknown kind or version
 */
export function unseal(kind: BlobKind, key: BlobKey, blob: Buffer, isVerified = false): BlobContent {
  // In a damaged database, the value may be a text, a number or null instead of bytes.
  if (!Buffer.isBuffer(blob)) throw new DamagedBlobError('it is not a blob');
  // A buffer that does not begin at a multiple of 8 bytes is copied. The driver of the database does not align buffers.
  const own = (blob.byteOffset % 8 === 0 ? blob : Buffer.from(blob)) as Buffer<ArrayBuffer>;
  if (own.length < ENVELOPE) throw new DamagedBlobError(`it has ${own.length} bytes`);
  const magic = own.readUInt32LE(0);
  if (magic !== MAGIC[kind]) {
    if (magic > MAX_WITHOUT_ENVELOPE) throw new DamagedBlobError('it is a blob of another kind');
    return { version: 0, content: own, isValid: true };
  }
  const version = own.readUInt16LE(4);
  const begin = contentStart(own);
  if (version < 1 || version > FORMAT_VERSION || (version < KEYED && begin > ENVELOPE))
    throw new DamagedBlobError(`its format version is ${version}`);
  const body = own.subarray(ENVELOPE);
  const isValid = isVerified || (own.readUInt32LE(8) === own.length && hasChecksum(own, body, version, key));
  return { version, content: begin === ENVELOPE ? body : own.subarray(begin), isValid };
}

/** Offset of the content. It may be wrong in a damaged blob, because the length of the sections may be damaged. */
export function contentStart(blob: Buffer): number {
  return ENVELOPE + blob.readUInt16LE(6) * 8;
}

/** @param body the bytes after the envelope */
function hasChecksum(blob: Buffer, body: Buffer, version: number, key: BlobKey): boolean {
  const expected = version < KEYED ? crc32(body) : checksumOf(blob, body, key);
  return blob.readUInt32LE(12) === expected;
}

/** The format version of a blob; 0 for a blob of version 1.0.0 of weatherd, which has no envelope (header). */
export function blobVersion(kind: BlobKind, blob: Buffer): number {
  return blob.length < ENVELOPE || blob.readUInt32LE(0) !== MAGIC[kind] ? 0 : blob.readUInt16LE(4);
}

/** Rounds up to the next multiple of 8. It also works beyond 32 bits, because the count of a damaged blob may be large. */
export const aligned = (length: number): number => Math.ceil(length / 8) * 8;
