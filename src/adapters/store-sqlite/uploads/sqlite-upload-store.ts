import type { UploadKeyChanges, UploadRecord, UploadStore } from '#application/ports/upload-store.js';
import type { StoredUploadKey } from '#domain/uploads/upload-key.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Upload keys and records in a SQLite data file. */
export class SqliteUploadStore implements UploadStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  version(): Promise<string> {
    return this.#database.lookUp('uploadVersion');
  }

  keys(): Promise<readonly StoredUploadKey[]> {
    return this.#database.lookUp('uploadKeys');
  }

  addKey(key: Omit<StoredUploadKey, 'number'>): Promise<number | undefined> {
    return this.#database.call('addUploadKey', key);
  }

  changeKey(number: number, changes: UploadKeyChanges): Promise<boolean> {
    return this.#database.call('changeUploadKey', number, changes);
  }

  removeKey(number: number): Promise<boolean> {
    return this.#database.call('removeUploadKey', number);
  }

  records(prefix: string): Promise<readonly UploadRecord[]> {
    return this.#database.lookUp('uploadRecords', prefix);
  }

  record(name: string): Promise<UploadRecord | undefined> {
    return this.#database.lookUp('uploadRecord', name);
  }

  presentRecord(name: string): Promise<UploadRecord | undefined> {
    return this.#database.call('presentUploadRecord', name);
  }

  put(records: readonly UploadRecord[]): Promise<readonly string[]> {
    return this.#database.call('putUploadRecords', records);
  }

  purge(prefix: string, time: number): Promise<void> {
    return this.#database.call('purgeUploadRecords', prefix, time);
  }
}
