import type { Stores } from '#application/ports/stores.js';
import { PostgresKeyStore } from './accounts/postgres-key-store.js';
import { PostgresDataVerifier } from './damage/postgres-data-verifier.js';
import { PostgresDatabase } from './database/postgres-database.js';
import { dataSize } from './database/data-size.js';
import { postgresStore } from './database/postgres-store.js';
import { PostgresDayTableStore } from './day-tables/postgres-day-table-store.js';
import { postgresJudging } from './judging/postgres-judging-store.js';
import { PostgresExchange } from './notices/postgres-exchange.js';
import { PostgresObservationStore } from './observations/postgres-observation-store.js';
import { postgresStations } from './stations/postgres-station-store.js';

/**
 * @param url `postgres://…`
 * @param readUrl its replicas, in the same form
 * @param mustDistribute whether to distribute the tables of observations, if they are not distributed yet
 * @throws DomainError STORE_UNAVAILABLE
 */
export async function openPostgresStores(
  url: string,
  readUrl?: string,
  mustDistribute = false,
): Promise<Stores> {
  const database = new PostgresDatabase(url, readUrl);
  await database.open(mustDistribute);
  const observations = new PostgresObservationStore(database);
  return {
    credentials: postgresStore(database, 'credentials'),
    sessions: postgresStore(database, 'sessions'),
    signIns: postgresStore(database, 'signIns'),
    updates: postgresStore(database, 'updates'),
    audit: postgresStore(database, 'audit'),
    keys: new PostgresKeyStore(database),
    stations: postgresStations(database),
    observations,
    overrules: postgresStore(database, 'overrules'),
    judging: postgresJudging(database, observations.runs),
    dayTables: new PostgresDayTableStore(database),
    importLog: postgresStore(database, 'importLog'),
    uploadKeys: postgresStore(database, 'uploadKeys'),
    uploadRecords: postgresStore(database, 'uploadRecords'),
    hooks: postgresStore(database, 'hooks'),
    leases: postgresStore(database, 'leases'),
    alarms: postgresStore(database, 'alarms'),
    transfer: postgresStore(database, 'transfer'),
    exchange: new PostgresExchange(database),
    checks: [...database.checks, ...observations.checks],
    verifier: new PostgresDataVerifier(database),
    size: () => database.withConnection(dataSize),
    location: database.location,
    check: () => database.check(),
    close: () => database.close(),
  };
}
