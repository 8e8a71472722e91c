import { join } from 'node:path';
import { FileKeyStore } from '#adapters/keys-file/file-key-store.js';
import type { Stores } from '#application/ports/stores.js';

/**
 * Opens the data of a `Place` without the modules of `src/composition`, which connect all parts of the service. Loading these
 * modules takes longer than the time until the test kills the process.
 */
export async function openQuickly(folder: string, databaseUrl: string): Promise<Stores> {
  if (databaseUrl.startsWith('postgres')) {
    const { openPostgresStores } = await import('#adapters/store-postgres/postgres-stores.js');
    return await openPostgresStores(databaseUrl);
  }
  const { openSqliteStores } = await import('#adapters/store-sqlite/sqlite-stores.js');
  return await openSqliteStores(join(folder, 'weatherd.db'), new FileKeyStore(join(folder, 'keys')));
}
