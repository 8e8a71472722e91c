import type { OverruleStore } from '#application/ports/overrule-store.js';
import type { Overrule } from '#domain/weather/quality/overrule.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Overrules in a SQLite data file. */
export class SqliteOverruleStore implements OverruleStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  add(overrule: Overrule): Promise<void> {
    return this.#database.call('addOverrule', overrule);
  }

  list(station: number): Promise<readonly Overrule[]> {
    return this.#database.call('overrules', station);
  }

  remove(station: number, id: string): Promise<Overrule | undefined> {
    return this.#database.call('removeOverrule', station, id);
  }
}
