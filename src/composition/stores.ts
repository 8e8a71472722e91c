import { join } from 'node:path';
import type { CredentialStore } from '../application/ports/credential-store.js';
import type { Config } from './config.js';

/** The stores of one place where data is kept, opened. */
export interface Stores {
  readonly credentials: CredentialStore;
  /** For people: the file, or what there is instead. */
  readonly location: string;
}

/** A way to keep data, by the scheme of `WEATHERD_DATABASE_URL`. An adapter is loaded only when it is chosen. */
export const STORES: Readonly<Record<string, (config: Config) => Promise<Stores>>> = {
  memory: async () => {
    const { MemoryCredentialStore } = await import('../adapters/store-memory/memory-credential-store.js');
    return { credentials: new MemoryCredentialStore(), location: 'memory; gone when the process ends' };
  },

  sqlite: async (config) => {
    const { SqliteDatabase } = await import('../adapters/store-sqlite/sqlite-database.js');
    const { SqliteCredentialStore } = await import('../adapters/store-sqlite/sqlite-credential-store.js');
    const named = config.DATABASE_URL.slice('sqlite:'.length);
    const database = new SqliteDatabase(named === '' ? join(config.DATA_DIR, 'weatherd.db') : named);
    await database.open();
    return { credentials: new SqliteCredentialStore(database), location: database.file };
  },
};

/** @throws DomainError STORE_UNAVAILABLE when the data cannot be opened */
export function openStores(config: Config): Promise<Stores> {
  const [scheme = ''] = config.DATABASE_URL.split(':');
  const open = STORES[scheme];
  if (open === undefined) throw new Error(`no store for ${scheme}:`);
  return open(config);
}
