import type { Database } from 'better-sqlite3';
import type { UploadKeyChanges, UploadRecord } from '#application/ports/upload-store.js';
import type { StoredUploadKey } from '#domain/uploads/upload-key.js';
import { uploadRecords } from './upload-records.js';

interface KeyRow extends Omit<StoredUploadKey, 'weak' | 'mappings' | 'settings'> {
  readonly weak: number;
  /** JSON. */
  readonly mappings: string;
  readonly settings: string;
}

const SELECT = `SELECT number, station, note, weak, made_at AS madeAt, rotated_at AS rotatedAt,
    previous_until AS previousUntil, digest, previous_digest AS previousDigest, mappings, settings
  FROM upload_key`;

function toKey({ weak, mappings, settings, ...row }: KeyRow): StoredUploadKey {
  return {
    ...row,
    weak: weak === 1,
    mappings: JSON.parse(mappings) as StoredUploadKey['mappings'],
    settings: JSON.parse(settings) as StoredUploadKey['settings'],
  };
}

function toRow({ weak, mappings, settings, ...key }: StoredUploadKey): KeyRow {
  return {
    ...key,
    weak: weak ? 1 : 0,
    mappings: JSON.stringify(mappings),
    settings: JSON.stringify(settings),
  };
}

/**
 * The records whose names begin with `@prefix`, found by the index of the names. Names are valid UTF-8, in which no byte is
 * as large as the one that ends the range.
 */
export const HAS_PREFIX = "name >= @prefix AND name < @prefix || x'ff'";

function recordNamed(database: Database) {
  return database.prepare<[string], UploadRecord>('SELECT * FROM upload_record WHERE name = ?');
}

/** The reads of SqliteUploadStore. They run in the reading threads and never wait for a write. */
export function uploadReads(database: Database) {
  const version = database.prepare<[], number>('SELECT version FROM upload_version').pluck();
  const keys = database.prepare<[], KeyRow>(`${SELECT} ORDER BY number`);
  const record = recordNamed(database);
  const records = database.prepare<{ prefix: string }, UploadRecord>(
    `SELECT * FROM upload_record WHERE ${HAS_PREFIX} ORDER BY name`,
  );
  return {
    uploadVersion: (): string => String(version.get()),
    uploadKeys: (): StoredUploadKey[] => keys.all().map(toKey),
    uploadRecord: (name: string): UploadRecord | undefined => record.get(name),
    uploadRecords: (prefix: string): UploadRecord[] => records.all({ prefix }),
  };
}

/** The changes of SqliteUploadStore. They run in the thread that owns the file. */
export function uploadOperations(database: Database) {
  const changed = database.prepare('UPDATE upload_version SET version = version + 1');
  const find = database.prepare<[number], KeyRow>(`${SELECT} WHERE number = ?`);
  const insert = database.prepare<Omit<KeyRow, 'number'>>(
    `INSERT INTO upload_key (station, note, weak, made_at, rotated_at, previous_until, digest, previous_digest, mappings,
       settings)
     SELECT @station, @note, @weak, @madeAt, @rotatedAt, @previousUntil, @digest, @previousDigest, @mappings, @settings
     WHERE EXISTS (SELECT 1 FROM any_station WHERE number = @station) ON CONFLICT (digest) DO NOTHING`,
  );
  const update = database.prepare<KeyRow>(
    `UPDATE upload_key SET note = @note, weak = @weak, rotated_at = @rotatedAt, previous_until = @previousUntil,
       digest = @digest, previous_digest = @previousDigest, mappings = @mappings, settings = @settings
     WHERE number = @number`,
  );
  const remove = database.prepare('DELETE FROM upload_key WHERE number = ?');
  const purge = database.prepare<{ prefix: string; time: number }>(
    `DELETE FROM upload_record WHERE ${HAS_PREFIX} AND time < @time`,
  );
  const records = uploadRecords(database);
  const present = recordNamed(database);

  const add = database.transaction((key: Omit<StoredUploadKey, 'number'>): number | undefined => {
    const { changes, lastInsertRowid } = insert.run(toRow({ ...key, number: 0 }));
    if (changes === 0) return undefined;
    changed.run();
    return Number(lastInsertRowid);
  });
  const change = database.transaction((number: number, changes: UploadKeyChanges): boolean => {
    const row = find.get(number);
    if (row === undefined) return false;
    update.run(toRow({ ...toKey(row), ...changes }));
    changed.run();
    return true;
  });
  const removeOne = database.transaction((number: number): boolean => {
    if (remove.run(number).changes === 0) return false;
    changed.run();
    return true;
  });
  const putAll = database.transaction((given: readonly UploadRecord[]): string[] => {
    const left: string[] = [];
    for (const record of given) {
      if (records.isOutdated(record)) left.push(record.name);
      else records.put(record);
    }
    return left;
  });
  return {
    addUploadKey: (key: Omit<StoredUploadKey, 'number'>) => add.immediate(key),
    changeUploadKey: (number: number, changes: UploadKeyChanges) => change.immediate(number, changes),
    removeUploadKey: (number: number) => removeOne.immediate(number),
    presentUploadRecord: (name: string): UploadRecord | undefined => present.get(name),
    putUploadRecords: (given: readonly UploadRecord[]) => putAll.immediate(given),
    purgeUploadRecords: (prefix: string, time: number) => void purge.run({ prefix, time }),
  };
}
