import { join } from 'node:path';
import { FileKeyStore } from '../../src/adapters/keys-file/file-key-store.js';
import type { Stores } from '../../src/application/ports/stores.js';

/** Opens the data of a `Place` without the composition, which takes longer to load than a process lives that is killed. */
export async function openQuickly(folder: string, databaseUrl: string): Promise<Stores> {
  if (databaseUrl.startsWith('postgres')) {
    const { openPostgresStores } = await import('../../src/adapters/store-postgres/postgres-stores.js');
    return await openPostgresStores(databaseUrl);
  }
  const { openSqliteStores } = await import('../../src/adapters/store-sqlite/sqlite-stores.js');
  return await openSqliteStores(join(folder, 'weatherd.db'), new FileKeyStore(join(folder, 'keys')));
}
