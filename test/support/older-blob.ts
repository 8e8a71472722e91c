import { crc32 } from 'node:zlib';
import { ENVELOPE } from '#adapters/formats/packed/blob.js';

/** Converts a blob without sections to an earlier format version, whose checksum does not cover the key. */
export function olderBlob(blob: Buffer, version: 1 | 2 = 2): Buffer {
  const older = Buffer.from(blob);
  older.writeUInt32LE(version, 4);
  older.writeUInt32LE(crc32(older.subarray(ENVELOPE)), 12);
  return older;
}

/**
 * Converts daily aggregates to version 2. The header of version 2 contains neither rules nor a number of methods, so the methods
 * must be the default.
 */
export function olderDailyAggregates(blob: Buffer): Buffer {
  const content = blob.subarray(ENVELOPE);
  const header = [blob.subarray(0, ENVELOPE), content.subarray(0, 12), Buffer.alloc(4)];
  const older = Buffer.concat([...header, content.subarray(24)]);
  older.writeUInt32LE(older.length, 8);
  return olderBlob(older);
}
