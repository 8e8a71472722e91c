import { crc32 } from 'node:zlib';
import { ENVELOPE } from '#adapters/formats/packed/blob.js';

/**
 * Converts a blob, which is one stored piece of binary data, to an earlier format version. In that version the checksum does not
 * cover the key under which the blob is stored. The blob must not have sections, which earlier versions lack (`blob.ts`).
 */
export function olderBlob(blob: Buffer, version: 1 | 2 = 2): Buffer {
  const older = Buffer.from(blob);
  older.writeUInt32LE(version, 4);
  older.writeUInt32LE(crc32(older.subarray(ENVELOPE)), 12);
  return older;
}

/**
 * Converts the daily aggregates of a month to version 2. The header of version 2 lacks the number of the computation rules, and
 * the number of variables with an unusual cell method. So the aggregates must have the default cell methods.
 */
export function olderDailyAggregates(blob: Buffer): Buffer {
  const content = blob.subarray(ENVELOPE);
  const header = [blob.subarray(0, ENVELOPE), content.subarray(0, 12), Buffer.alloc(4)];
  const older = Buffer.concat([...header, content.subarray(24)]);
  older.writeUInt32LE(older.length, 8);
  return olderBlob(older);
}
