import type { ImportLog } from '../../../application/ports/import-log.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** The progress of imports in a SQLite data file. */
export class SqliteImportLog implements ImportLog {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  lastLine(key: string): Promise<number> {
    return this.#database.call('importedLine', key);
  }

  note(key: string, line: number): Promise<void> {
    return this.#database.call('noteImport', key, line);
  }

  forget(key: string): Promise<void> {
    return this.#database.call('forgetImport', key);
  }
}
