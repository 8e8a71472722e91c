import { STORES, type StoreOf } from '#adapters/store/shared-stores.js';
import { storeOf } from '#adapters/store/store-operations.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** Returns the store with the name `store` (a key of `STORES`). Its data are in the SQLite data file. */
export function sqliteStore<K extends keyof typeof STORES>(database: SqliteDatabase, store: K): StoreOf<K> {
  return storeOf(STORES[store] as never, (name, { use }, parameters) =>
    database.operate(`${store}.${name}`, use, parameters),
  );
}
