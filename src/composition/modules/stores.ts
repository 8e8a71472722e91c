import type { AuditStore } from '../../application/ports/audit-store.js';
import type { Check } from '../../application/ports/check.js';
import type { CredentialStore } from '../../application/ports/credential-store.js';
import type { DataVerifier } from '../../application/ports/data-verifier.js';
import type { ImportLog } from '../../application/ports/import-log.js';
import type { KeyStore } from '../../application/ports/key-store.js';
import type { ObservationStore } from '../../application/ports/observation-store.js';
import type { SessionStore } from '../../application/ports/session-store.js';
import type { SignInStore } from '../../application/ports/sign-in-store.js';
import type { StationStore } from '../../application/ports/station-store.js';
import type { Config } from '../config.js';
import { dataFile, keysFolder, storeName } from '../data/data-place.js';
import { makeFolder } from '../data/folders.js';

/** The stores of one place where data is kept, opened. */
export interface Stores {
  readonly credentials: CredentialStore;
  readonly sessions: SessionStore;
  readonly signIns: SignInStore;
  readonly audit: AuditStore;
  readonly keys: KeyStore;
  readonly stations: StationStore;
  readonly observations: ObservationStore;
  /** Background checks of these stores. */
  readonly checks: readonly Check[];
  /** Verifies the stored data; undefined where the database does so itself, or nothing is stored. */
  readonly verifier?: DataVerifier;
  readonly importLog: ImportLog;
  /** Location of the data, as shown to people: the file, or the database without its password. */
  readonly location: string;
  /** Releases what the stores hold. None of them is used afterwards. */
  close(): Promise<void>;
}

/** A way to keep data, by the scheme of `WEATHERD_DATABASE_URL`. An adapter is loaded only when it is chosen. */
export const STORES: Readonly<Record<string, (config: Config) => Promise<Stores>>> = {
  memory: async (config) => {
    const { MemoryDatabase } = await import('../../adapters/store-memory/memory-database.js');
    const { MemoryAuditStore } = await import('../../adapters/store-memory/memory-audit-store.js');
    const { MemoryCredentialStore } = await import('../../adapters/store-memory/memory-credential-store.js');
    const { MemoryImportLog } = await import('../../adapters/store-memory/memory-import-log.js');
    const { MemoryObservationStore } =
      await import('../../adapters/store-memory/memory-observation-store.js');
    const { MemoryStationStore } = await import('../../adapters/store-memory/memory-station-store.js');
    const { MemorySessionStore } = await import('../../adapters/store-memory/memory-session-store.js');
    const { MemorySignInStore } = await import('../../adapters/store-memory/memory-sign-in-store.js');
    const database = new MemoryDatabase();
    return {
      stations: new MemoryStationStore(database),
      observations: new MemoryObservationStore(database),
      importLog: new MemoryImportLog(),
      credentials: new MemoryCredentialStore(database),
      checks: [databaseCheck(async () => undefined)],
      sessions: new MemorySessionStore(database),
      signIns: new MemorySignInStore(database),
      audit: new MemoryAuditStore(database),
      keys: await keysInDataDirectory(config),
      location: 'memory; gone when the process ends',
      close: () => Promise.resolve(),
    };
  },

  sqlite: async (config) => {
    const { SqliteDatabase } = await import('../../adapters/store-sqlite/database/sqlite-database.js');
    const { SqliteDataVerifier } = await import('../../adapters/store-sqlite/damage/sqlite-data-verifier.js');
    const { SqliteAuditStore } = await import('../../adapters/store-sqlite/accounts/sqlite-audit-store.js');
    const { SqliteCredentialStore } =
      await import('../../adapters/store-sqlite/accounts/sqlite-credential-store.js');
    const { SqliteImportLog } = await import('../../adapters/store-sqlite/observations/sqlite-import-log.js');
    const { SqliteObservationStore } =
      await import('../../adapters/store-sqlite/observations/sqlite-observation-store.js');
    const { SqliteStationStore } =
      await import('../../adapters/store-sqlite/stations/sqlite-station-store.js');
    const { SqliteSessionStore } =
      await import('../../adapters/store-sqlite/accounts/sqlite-session-store.js');
    const { SqliteSignInStore } =
      await import('../../adapters/store-sqlite/accounts/sqlite-sign-in-store.js');
    const keys = await keysInDataDirectory(config);
    const database = new SqliteDatabase(dataFile(config) ?? '');
    await database.open();
    const observations = new SqliteObservationStore(database);
    return {
      stations: new SqliteStationStore(database),
      importLog: new SqliteImportLog(database),
      observations,
      credentials: new SqliteCredentialStore(database),
      checks: [databaseCheck(() => database.check()), ...database.checks, ...observations.checks],
      verifier: new SqliteDataVerifier(database),
      sessions: new SqliteSessionStore(database),
      signIns: new SqliteSignInStore(database),
      audit: new SqliteAuditStore(database),
      keys,
      location: database.file,
      close: () => database.close(),
    };
  },

  postgres: async (config) => {
    const { PostgresDatabase } = await import('../../adapters/store-postgres/database/postgres-database.js');
    const { PostgresAuditStore } =
      await import('../../adapters/store-postgres/accounts/postgres-audit-store.js');
    const { PostgresCredentialStore } =
      await import('../../adapters/store-postgres/accounts/postgres-credential-store.js');
    const { PostgresImportLog } =
      await import('../../adapters/store-postgres/observations/postgres-import-log.js');
    const { PostgresKeyStore } = await import('../../adapters/store-postgres/accounts/postgres-key-store.js');
    const { PostgresObservationStore } =
      await import('../../adapters/store-postgres/observations/postgres-observation-store.js');
    const { PostgresStationStore } =
      await import('../../adapters/store-postgres/stations/postgres-station-store.js');
    const { PostgresSessionStore } =
      await import('../../adapters/store-postgres/accounts/postgres-session-store.js');
    const { PostgresSignInStore } =
      await import('../../adapters/store-postgres/accounts/postgres-sign-in-store.js');
    const database = new PostgresDatabase(config.DATABASE_URL);
    await database.open();
    return {
      stations: new PostgresStationStore(database),
      observations: new PostgresObservationStore(database),
      importLog: new PostgresImportLog(database),
      credentials: new PostgresCredentialStore(database),
      checks: [databaseCheck(() => database.check())],
      sessions: new PostgresSessionStore(database),
      signIns: new PostgresSignInStore(database),
      audit: new PostgresAuditStore(database),
      keys: new PostgresKeyStore(database),
      location: database.location,
      close: () => database.close(),
    };
  },
};

/** @throws DomainError STORE_UNAVAILABLE when the data cannot be opened */
export function openStores(config: Config): Promise<Stores> {
  const name = storeName(config);
  const open = STORES[name];
  if (open === undefined) throw new Error(`no store for ${name}:`);
  return open(config);
}

/** Whether the database answers. It is shown by the name that clients know. */
function databaseCheck(check: () => Promise<unknown>): Check {
  return {
    name: 'credential store',
    check: async () => {
      await check();
      return undefined;
    },
  };
}

async function keysInDataDirectory(config: Config): Promise<KeyStore> {
  const { FileKeyStore } = await import('../../adapters/keys-file/file-key-store.js');
  const directory = keysFolder(config);
  try {
    makeFolder(directory);
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`The data directory ${config.DATA_DIR} cannot be used: ${reason}`, { cause: error });
  }
  return new FileKeyStore(directory);
}
