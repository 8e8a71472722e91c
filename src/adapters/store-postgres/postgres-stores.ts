import { moveAll, moveDailyValues } from '#adapters/store/observations/move-daily-values.js';
import { storesOn } from '#adapters/store/shared-stores.js';
import type { Stores } from '#application/ports/stores.js';
import { PostgresKeyStore } from './accounts/postgres-key-store.js';
import { PostgresDataVerifier } from './damage/postgres-data-verifier.js';
import { PostgresDatabase } from './database/postgres-database.js';
import { dataSize } from './database/data-size.js';
import { runWith } from './database/statements.js';
import { PostgresObservationTables } from './observations/observation-tables.js';
import { postgresStore } from './database/postgres-store.js';
import { PostgresDailyAggregateStore } from './daily-aggregates/postgres-daily-aggregate-store.js';
import { postgresRecheckStore } from './recheck/postgres-recheck-store.js';
import { PostgresExchange } from './notices/postgres-exchange.js';
import { PostgresObservationStore } from './observations/postgres-observation-store.js';
import { postgresStations } from './stations/postgres-station-store.js';

/**
 * Opens the stores in a PostgreSQL database. Migrates the schema.
 *
 * @param url `postgres://…`
 * @param readUrl URL of the replicas, in the same form
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
  const movedRows = await moveRows(database);
  const observations = new PostgresObservationStore(database);
  return {
    ...storesOn((store) => postgresStore(database, store)),
    keys: new PostgresKeyStore(database),
    stations: postgresStations(database),
    observations,
    recheck: postgresRecheckStore(database, observations.runs),
    dailyAggregates: new PostgresDailyAggregateStore(database),
    exchange: new PostgresExchange(database),
    movedRows,
    checks: [...database.checks, ...observations.checks],
    verifier: new PostgresDataVerifier(database),
    size: () => database.withConnection(dataSize),
    location: database.location,
    check: () => database.check(),
    close: () => database.close(),
  };
}

async function moveRows(database: PostgresDatabase): Promise<number> {
  try {
    return await moveAll((after) =>
      database.transaction((query) =>
        runWith(query, new PostgresObservationTables(query), moveDailyValues(after)),
      ),
    );
  } catch (error) {
    await database.close();
    throw error;
  }
}
