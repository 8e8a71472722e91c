import type { KeyStore } from '#application/ports/key-store.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import type { Stores } from '#application/ports/stores.js';
import type { Config } from '../config.js';
import { dataFile, keysFolder, storeName } from '../data/data-location.js';
import { makeFolder, removeFolders } from '../data/folders.js';

/** @param writer the process that writes, for stores with a single writing process; undefined in the writing process */
type OpenStores = (config: Config, writer?: StoreWriter) => Promise<Stores>;

/** The functions that open stores, by the scheme of `WEATHERD_DATABASE_URL`. An adapter is loaded only if it is chosen. */
export const STORE_MODULES: Readonly<Record<string, OpenStores>> = {
  sqlite: async (config, writer) => {
    const { openSqliteStores } = await import('#adapters/store-sqlite/sqlite-stores.js');
    // The driver is loaded first, so that a missing driver is reported before a folder is created. A worker process does not need this
    // check, because the main process has already used the driver.
    if (writer === undefined) await import('#adapters/store-sqlite/database/driver.js');
    return await withKeys(config, (keys) => openSqliteStores(dataFile(config) ?? '', keys, writer));
  },

  postgres: async ({
    DATABASE_URL: url,
    DATABASE_READ_URL: readUrl,
    DATABASE_DISTRIBUTED: mustDistribute,
  }) => {
    const { openPostgresStores } = await import('#adapters/store-postgres/postgres-stores.js');
    return await openPostgresStores(url, readUrl, mustDistribute);
  },
};

/** @throws DomainError STORE_UNAVAILABLE if the data cannot be opened */
export function openStores(config: Config, writer?: StoreWriter): Promise<Stores> {
  const name = storeName(config);
  const open = STORE_MODULES[name];
  if (open === undefined) throw new Error(`The scheme ${name}: has no store.`);
  return open(config, writer);
}

/**
 * Opens stores with the signing keys in the data directory. If opening fails, the folders that were created are removed again.
 */
async function withKeys(config: Config, open: (keys: KeyStore) => Promise<Stores>): Promise<Stores> {
  const { FileKeyStore } = await import('#adapters/keys-file/file-key-store.js');
  const directory = keysFolder(config);
  let created: readonly string[];
  try {
    created = makeFolder(directory);
  } catch (error) {
    const message = `The data directory ${config.DATA_DIR} (WEATHERD_DATA_DIR) cannot be used:`;
    throw new Error(message, { cause: error });
  }
  try {
    return await open(new FileKeyStore(directory));
  } catch (error) {
    removeFolders(created);
    throw error;
  }
}
