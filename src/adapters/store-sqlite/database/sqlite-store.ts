import { STORES } from '#adapters/store/stores.js';
import { storeOf } from '#adapters/store/store-operations.js';
import type { Stores } from '#application/ports/stores.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** A store of `adapters/store` in a SQLite data file. */
export function sqliteStore<K extends keyof typeof STORES>(
  database: SqliteDatabase,
  store: K,
): NonNullable<Stores[K]> {
  return storeOf(STORES[store] as never, (name, { use }, parameters) =>
    database.operate(`${store}.${name}`, use, parameters),
  );
}
