import type { LastNumbers, TransferStore } from '#application/ports/transfer-store.js';
import type { RecordKind, TransferRecord } from '#application/record-forms.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Hands over the records of a SQLite data file. */
export class SqliteTransferStore implements TransferStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  read(kind: RecordKind, after?: TransferRecord): Promise<readonly TransferRecord[]> {
    return this.#database.call('transferred', kind, after);
  }

  add(kind: RecordKind, records: readonly TransferRecord[]): Promise<void> {
    return this.#database.call('addTransferred', kind, records);
  }

  clear(kinds: readonly RecordKind[]): Promise<void> {
    return this.#database.call('clearTransferred', kinds);
  }

  lastNumbers(): Promise<LastNumbers> {
    return this.#database.call('lastNumbers');
  }

  setLastNumbers(numbers: LastNumbers): Promise<void> {
    return this.#database.call('setLastNumbers', numbers);
  }
}
