import { STORES, type StoreOf } from '#adapters/store/shared-stores.js';
import { storeOf } from '#adapters/store/store-operations.js';
import { SINGLE_STATEMENTS } from '../accounts/single-statements.js';
import type { PostgresDatabase } from './postgres-database.js';
import { runOver } from './statements.js';

/** Returns the store with the name `store` (a key of `STORES`). Its data are in the PostgreSQL database. */
export function postgresStore<K extends keyof typeof STORES>(
  database: PostgresDatabase,
  store: K,
): StoreOf<K> {
  const operations = { ...STORES[store], ...SINGLE_STATEMENTS[store] };
  return storeOf(operations as never, (_name, { use, begin }, parameters) =>
    use === 'transaction'
      ? database.transaction((query) => runOver(query, begin(...parameters)))
      : database.withConnection((query) => runOver(query, begin(...parameters))),
  );
}
