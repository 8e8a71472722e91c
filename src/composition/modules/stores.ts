import type { KeyStore } from '#application/ports/key-store.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import type { Stores } from '#application/ports/stores.js';
import type { Config } from '../config.js';
import { dataFile, keysFolder, storeName } from '../data/data-place.js';
import { makeFolder, removeFolders } from '../data/folders.js';

/** @param writer the process that writes, for stores of which only one process writes; undefined in that process */
type OpenStores = (config: Config, writer?: StoreWriter) => Promise<Stores>;

/** A way to keep data, by the scheme of `WEATHERD_DATABASE_URL`. An adapter is loaded only when it is chosen. */
export const STORE_MODULES: Readonly<Record<string, OpenStores>> = {
  sqlite: async (config, writer) => {
    const { openSqliteStores } = await import('#adapters/store-sqlite/sqlite-stores.js');
    // A missing driver is reported before a folder is made. Worker processes start only after the main process has used it.
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

/** @throws DomainError STORE_UNAVAILABLE when the data cannot be opened */
export function openStores(config: Config, writer?: StoreWriter): Promise<Stores> {
  const name = storeName(config);
  const open = STORE_MODULES[name];
  if (open === undefined) throw new Error(`no store for ${name}:`);
  return open(config, writer);
}

/** Opens stores that have the signing keys in the data directory. If that fails, no empty folder is left. */
async function withKeys(config: Config, open: (keys: KeyStore) => Promise<Stores>): Promise<Stores> {
  const { FileKeyStore } = await import('#adapters/keys-file/file-key-store.js');
  const directory = keysFolder(config);
  let made: readonly string[];
  try {
    made = makeFolder(directory);
  } catch (error) {
    const message = `The data directory ${config.DATA_DIR} (WEATHERD_DATA_DIR) cannot be used:`;
    throw new Error(message, { cause: error });
  }
  try {
    return await open(new FileKeyStore(directory));
  } catch (error) {
    removeFolders(made);
    throw error;
  }
}
