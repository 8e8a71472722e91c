import type { ImportLog, ImportRecord, ImportRetention } from '#application/ports/import-log.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** The imports of files in a SQLite data file. */
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

  begin(key: string | undefined, file: string, time: number): Promise<number> {
    return this.#database.call('beginImport', key, file, time);
  }

  end(number: number, time: number): Promise<void> {
    return this.#database.call('endImport', number, time);
  }

  find(number: number): Promise<ImportRecord | undefined> {
    return this.#database.call('findImport', number);
  }

  list(limit: number): Promise<readonly ImportRecord[]> {
    return this.#database.call('listImports', limit);
  }

  beginUndo(number: number, time: number): Promise<void> {
    return this.#database.call('beginImportUndo', number, time);
  }

  endUndo(number: number, time: number): Promise<void> {
    return this.#database.call('endImportUndo', number, time);
  }

  async prune(retention: ImportRetention): Promise<void> {
    while (await this.#database.call('pruneImports', retention));
  }
}
