import type { KeyStore } from '../../application/ports/key-store.js';
import type { Stores } from '../../application/ports/stores.js';
import { SqliteAuditStore } from './accounts/sqlite-audit-store.js';
import { SqliteCredentialStore } from './accounts/sqlite-credential-store.js';
import { SqliteSessionStore } from './accounts/sqlite-session-store.js';
import { SqliteSignInStore } from './accounts/sqlite-sign-in-store.js';
import { SqliteDataVerifier } from './damage/sqlite-data-verifier.js';
import { SqliteDatabase } from './database/sqlite-database.js';
import { SqliteImportLog } from './imports/sqlite-import-log.js';
import { SqliteDayTableStore } from './day-tables/sqlite-day-table-store.js';
import { SqliteJudgingStore } from './judging/sqlite-judging-store.js';
import { SqliteOverruleStore } from './judging/sqlite-overrule-store.js';
import { SqliteObservationStore } from './observations/sqlite-observation-store.js';
import { SqliteStationStore } from './stations/sqlite-station-store.js';
import { SqliteTransferStore } from './transfer/sqlite-transfer-store.js';
import { SqliteUploadStore } from './uploads/sqlite-upload-store.js';

/**
 * Opens a data file, and creates a missing one.
 *
 * @param keys signing keys, which are kept in files of their own
 * @throws DomainError STORE_UNAVAILABLE
 */
export async function openSqliteStores(file: string, keys: KeyStore): Promise<Stores> {
  const database = new SqliteDatabase(file);
  await database.open();
  const observations = new SqliteObservationStore(database);
  return {
    credentials: new SqliteCredentialStore(database),
    sessions: new SqliteSessionStore(database),
    signIns: new SqliteSignInStore(database),
    audit: new SqliteAuditStore(database),
    keys,
    stations: new SqliteStationStore(database),
    observations,
    overrules: new SqliteOverruleStore(database),
    judging: new SqliteJudgingStore(database),
    dayTables: new SqliteDayTableStore(database),
    importLog: new SqliteImportLog(database),
    uploads: new SqliteUploadStore(database),
    transfer: new SqliteTransferStore(database),
    checks: [...database.checks, ...observations.checks],
    verifier: new SqliteDataVerifier(database),
    merge: async (signal) => {
      while ((await database.call('mergeRuns', 'all')) !== undefined) signal.throwIfAborted();
    },
    location: database.file,
    check: () => database.check(),
    close: () => database.close(),
  };
}
