import type { Database } from 'better-sqlite3';
import type { UploadRecord } from '#application/ports/upload-store.js';

/** The statements that write records, within the transaction of the caller. */
export function uploadRecords(database: Database) {
  const revisionOf = database
    .prepare<[string], number>('SELECT revision FROM upload_record WHERE name = ?')
    .pluck();
  const hasKey = database.prepare<[number], number>('SELECT 1 FROM upload_key WHERE number = ?').pluck();
  const insert = database.prepare<UploadRecord>(
    `INSERT INTO upload_record (name, key, revision, time, text) VALUES (@name, @key, 1, @time, @text)
     ON CONFLICT (name) DO UPDATE SET revision = revision + 1, time = excluded.time, text = excluded.text`,
  );
  return {
    /** Whether the stored record has another revision than `record` replaces, or its key is gone. */
    isOutdated: ({ name, key, revision }: UploadRecord): boolean =>
      (revisionOf.get(name) ?? 0) !== revision || (key !== null && hasKey.get(key) === undefined),
    put: (record: UploadRecord): void => void insert.run(record),
  };
}
