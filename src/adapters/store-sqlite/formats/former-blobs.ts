import type { Database } from 'better-sqlite3';
import {
  DamagedBlobError,
  FORMAT_VERSION,
  MAGIC,
  seal,
  unseal,
  blobVersion,
} from '#adapters/formats/packed/blob.js';
import { encodeChunk } from '#adapters/formats/packed/chunk-codec.js';
import { dayOfKey, stationOfKey } from '#adapters/formats/packed/chunk-key.js';
import {
  type DailyAggregatesKey,
  encodeDailyAggregates,
} from '#adapters/formats/packed/daily-aggregate-codec.js';
import { decodeDailyAggregates } from '#adapters/formats/packed/packed-days.js';
import { type ChunkRow, decodeAll, openChunk } from '#adapters/formats/packed/decoded-series.js';

/** Maximum number of blobs that one call rewrites. */
const AT_ONCE = 200;

/** The progress of rewriting the blobs of earlier format versions. */
export interface RewritePosition {
  readonly table: number;
  /** The last rowid that was read. */
  readonly after: number;
  /** Number of blobs that were rewritten. */
  readonly rewritten: number;
}

interface FormerBlob {
  readonly id: number;
  readonly data: Buffer;
}

/** A table with blobs. `rewritten` returns undefined for a blob that stays as it is. */
interface BlobTable {
  readonly name: string;
  /** The columns that `rewritten` needs. */
  readonly columns: string;
  readonly magic: number;
  readonly rewritten: (row: FormerBlob) => Buffer | undefined;
}

/**
 * Decodes a chunk, which is a blob with the rows of one station and some days, and encodes it again. Decoding checks the content
 * of the chunk. The old checksum alone is not enough, because it does not cover the key of the chunk (its station and first day).
 */
function rewrittenChunk(row: FormerBlob): Buffer {
  const { key, rows, days, data } = row as FormerBlob & ChunkRow;
  const series = decodeAll([openChunk({ key, rows, days, data })], undefined);
  return encodeChunk({ station: stationOfKey(key), day: dayOfKey(key), days }, series);
}

/**
 * Converts daily aggregates of version 2 to the current version. Returns undefined for other versions: version 1 lacks sums, so
 * it cannot be converted.
 */
function rewrittenTable(row: FormerBlob): Buffer | undefined {
  if (blobVersion('days', row.data) !== 2) return undefined;
  // Daily aggregates contain the number of the rules by which they were computed. The new blob has the same number, because the
  // values are not computed again.
  const table = row as FormerBlob & DailyAggregatesKey;
  return encodeDailyAggregates(table, decodeDailyAggregates(table));
}

function rewrittenJournal(row: FormerBlob): Buffer | undefined {
  const key = [(row as FormerBlob & { readonly import: number }).import];
  const { version, content, isValid } = unseal('journal', key, row.data);
  return version > 0 && isValid ? seal('journal', key, enveloped(content)) : undefined;
}

function enveloped(content: Uint8Array): ArrayBuffer {
  const data = new Uint8Array(16 + content.length);
  data.set(content, 16);
  return data.buffer;
}

const TABLES: readonly BlobTable[] = [
  { name: 'chunk', columns: 'key, rows, days', magic: MAGIC.chunk, rewritten: rewrittenChunk },
  { name: 'day_table', columns: 'station, start, end, zone', magic: MAGIC.days, rewritten: rewrittenTable },
  {
    name: 'removed_month',
    columns: 'station, month_start AS start, month_end AS end, zone',
    magic: MAGIC.days,
    rewritten: rewrittenTable,
  },
  { name: 'import_journal', columns: 'import', magic: MAGIC.journal, rewritten: rewrittenJournal },
];

/**
 * Rewrites blobs of earlier format versions. Runs, which are blobs with new rows, are not rewritten, because a merge moves their
 * rows into new blobs anyway.
 */
export function formerBlobs(database: Database) {
  const statements = TABLES.map(({ name, columns, magic, rewritten }) => {
    const head = Buffer.alloc(6);
    head.writeUInt32LE(magic);
    head.writeUInt16LE(FORMAT_VERSION, 4);
    const select = database.prepare<[number, Buffer], FormerBlob>(
      `SELECT rowid AS id, data, ${columns} FROM ${name}
       WHERE rowid > ? AND substr(data, 1, 6) <> ? ORDER BY rowid LIMIT ${AT_ONCE}`,
    );
    const put = database.prepare(`UPDATE ${name} SET data = ? WHERE rowid = ?`);
    return { head, select, put, rewritten };
  });
  return {
    /**
     * Rewrites some blobs. A damaged blob is not rewritten, so that a check of the data still finds the damage.
     *
     * @returns the next position; at the end, the number of rewritten blobs
     */
    rewriteFormer: (place: RewritePosition): RewritePosition | number =>
      database
        .transaction(() => {
          const one = statements[place.table];
          if (one === undefined) return place.rewritten;
          const rows = one.select.all(place.after, one.head);
          let { rewritten } = place;
          for (const row of rows) {
            const data = tryRewrite(row, one.rewritten);
            if (data === undefined) continue;
            one.put.run(data, row.id);
            rewritten += 1;
          }
          const last = rows.at(-1);
          return last === undefined
            ? { table: place.table + 1, after: -1, rewritten }
            : { table: place.table, after: last.id, rewritten };
        })
        .immediate(),
  };
}

function tryRewrite(row: FormerBlob, rewritten: BlobTable['rewritten']): Buffer | undefined {
  try {
    return rewritten(row);
  } catch (error) {
    if (error instanceof DamagedBlobError) return undefined;
    throw error;
  }
}
