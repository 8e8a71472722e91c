import { STORES } from '#adapters/store/stores.js';
import { type OperationsOf, storeOf } from '#adapters/store/store-operations.js';
import type { Stores } from '#application/ports/stores.js';
import type { PostgresDatabase } from './postgres-database.js';
import { SINGLE_AUDIT, SINGLE_SESSIONS } from '../accounts/single-statements.js';
import { runOver } from './statements.js';

/** Operations that take the place of the shared ones, because one statement does what takes several there: sign-in counts trips. */
const SINGLE: { readonly [K in keyof typeof STORES]?: Partial<OperationsOf<NonNullable<Stores[K]>>> } = {
  sessions: SINGLE_SESSIONS,
  audit: SINGLE_AUDIT,
};

/** A store of `adapters/store` in PostgreSQL. */
export function postgresStore<K extends keyof typeof STORES>(
  database: PostgresDatabase,
  store: K,
): NonNullable<Stores[K]> {
  return storeOf({ ...STORES[store], ...SINGLE[store] } as never, (_name, { use, begin }, parameters) =>
    use === 'transaction'
      ? database.transaction((query) => runOver(query, begin(...parameters)))
      : database.withConnection((query) => runOver(query, begin(...parameters))),
  );
}
