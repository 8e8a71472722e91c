import type { KeyStore } from '#application/ports/key-store.js';
import { moveAll } from '#adapters/store/observations/move-daily-values.js';
import { storesOn } from '#adapters/store/shared-stores.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import type { Stores } from '#application/ports/stores.js';
import { SqliteDataVerifier } from './damage/sqlite-data-verifier.js';
import { SqliteDatabase } from './database/sqlite-database.js';
import { sqliteStore } from './database/sqlite-store.js';
import { FileLease } from './files/file-lease.js';
import { SqliteDailyAggregateStore } from './daily-aggregates/sqlite-daily-aggregate-store.js';
import { sqliteRecheckStore } from './recheck/sqlite-recheck-store.js';
import { SqliteObservationStore } from './observations/sqlite-observation-store.js';
import { performFor } from './remote/perform-for.js';
import { sqliteStations } from './stations/sqlite-station-store.js';
import type { RewritePosition } from './formats/former-blobs.js';

/**
 * Opens a data file. Creates it if it does not exist.
 *
 * @param keys store of the signing keys, which are in separate files
 * @param remote the process that writes the file; undefined if this process writes
 * @throws DomainError STORE_UNAVAILABLE
 */
export async function openSqliteStores(file: string, keys: KeyStore, remote?: StoreWriter): Promise<Stores> {
  const database = new SqliteDatabase(file, remote);
  await database.open();
  // The process that writes has opened the file before.
  const movedRows = remote === undefined ? await moveDailyValues(database) : 0;
  const observations = new SqliteObservationStore(database, undefined, remote);
  return {
    ...storesOn((store) => sqliteStore(database, store)),
    keys,
    stations: sqliteStations(database),
    observations,
    recheck: sqliteRecheckStore(database),
    dailyAggregates: new SqliteDailyAggregateStore(database),
    ...(remote === undefined && { writer: performFor(database, observations) }),
    lease: (name) => new FileLease(`${database.file}.${name}.lock`),
    movedRows,
    checks: [...database.checks, ...observations.checks],
    verifier: new SqliteDataVerifier(database),
    merge: async (signal) => {
      while ((await database.call('mergeRuns', 'all')) !== undefined) signal.throwIfAborted();
    },
    rewriteFormer: async (signal) => {
      let place: RewritePosition | number = { table: 0, after: -1, rewritten: 0 };
      while (typeof place !== 'number') {
        signal.throwIfAborted();
        place = await database.call('rewriteFormer', place);
      }
      return place;
    },
    size: () => database.size(),
    location: database.file,
    check: () => database.check(),
    close: () => database.close(),
  };
}

async function moveDailyValues(database: SqliteDatabase): Promise<number> {
  try {
    return await moveAll((after) => database.call('moveDailyValues', after));
  } catch (error) {
    await database.close();
    throw error;
  }
}
