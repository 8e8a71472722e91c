import type { Database, Statement } from 'better-sqlite3';
import { valueSymbol } from 'piscina';
import type { DataVerifier, VerifyWatch } from '#application/ports/data-verifier.js';
import type { Stores } from '#application/ports/stores.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import { checkStore } from '#adapters/packed-store/check/check-store.js';
import { storesOn } from '#adapters/store/shared-stores.js';
import type { Use } from '#adapters/store/store-operations.js';
import { damagedReads } from '#adapters/store-sqlite/damage/quarantine.js';
import { SqliteCheckedStore } from '#adapters/store-sqlite/damage/sqlite-checked-store.js';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { migrate } from '#adapters/store-sqlite/database/migrations.js';
import type { SqliteDatabase } from '#adapters/store-sqlite/database/sqlite-database.js';
import {
  type OperationOutcome,
  type Stored,
  storedOperations,
} from '#adapters/store-sqlite/database/stored-operations.js';
import { SqliteDailyAggregateStore } from '#adapters/store-sqlite/daily-aggregates/sqlite-daily-aggregate-store.js';
import { sqliteRecheckStore } from '#adapters/store-sqlite/recheck/sqlite-recheck-store.js';
import { observationOperations } from '#adapters/store-sqlite/observations/observation-operations.js';
import { readOperations } from '#adapters/store-sqlite/observations/read-operations.js';
import { SqliteObservationStore } from '#adapters/store-sqlite/observations/sqlite-observation-store.js';
import { MERGE } from '#adapters/store-sqlite/remote/remote-merging.js';
import { stationRemoval } from '#adapters/store-sqlite/stations/station-removal.js';
import { sqliteStore } from '#adapters/store-sqlite/database/sqlite-store.js';
import { sqliteStations } from '#adapters/store-sqlite/stations/sqlite-station-store.js';
import { DomainError } from '#domain/domain-error.js';
import { MemoryKeyStore } from '../application/fakes/fakes.js';

/**
 * Creates the SQLite stores in memory and without threads, for one test. This takes a few milliseconds, and the stores need not
 * be closed.
 *
 * @param writeSlice milliseconds after which a write of many late rows commits its finished rows; by default as in the service
 */
export function openLocalStores(writeSlice?: number): Stores {
  const local = new LocalDatabase(writeSlice);
  const database = local as unknown as SqliteDatabase;
  // The store is told that another process (`writer`) writes and merges the data. So the store does not start its own merge
  // schedule, whose timer would keep the data in memory after the test.
  const writer: StoreWriter = {
    perform: async (operation) => {
      if (operation === MERGE) while ((await local.call('mergeRuns', 'all')) !== undefined);
    },
  };
  return {
    ...storesOn((store) => sqliteStore(database, store)),
    keys: new MemoryKeyStore(),
    stations: sqliteStations(database),
    observations: new SqliteObservationStore(database, undefined, writer),
    recheck: sqliteRecheckStore(database),
    dailyAggregates: new SqliteDailyAggregateStore(database),
    movedRows: 0,
    checks: [],
    verifier: verifierOf(local.connection),
    size: async () => local.connection.serialize().length,
    location: 'the memory of a test',
    check: async () => undefined,
    close: async () => undefined,
  };
}

/**
 * Creates a verifier of the stored data. The `discard` of a real verifier deletes damaged observations. Here `discard` only
 * verifies, and deletes nothing.
 */
function verifierOf(connection: Database): DataVerifier {
  const verify = async (watch: VerifyWatch) => {
    const store = new SqliteCheckedStore(connection);
    const findings = await checkStore(store, watch);
    return findings.describe(await store.ids(), []);
  };
  return { verify, discard: verify };
}

/** A serialized empty database with the current schema. */
let empty: Buffer | undefined;

function emptyDatabase(): Buffer {
  const database = new Sqlite(':memory:');
  migrate(database);
  const bytes = database.serialize();
  database.close();
  return bytes;
}

/** Replaces `SqliteDatabase`. The operations of the threads run immediately, in the thread of the test. */
class LocalDatabase {
  readonly file = 'the memory of a test';
  readonly connection = new Sqlite((empty ??= emptyDatabase()));
  #writing: object | undefined;
  #reading: ReturnType<typeof readOperations> | undefined;
  #stored: Stored | undefined;
  readonly #writeSlice: number | undefined;

  constructor(writeSlice: number | undefined) {
    this.#writeSlice = writeSlice;
    this.connection.pragma('foreign_keys = ON');
    prepareLater(this.connection);
  }

  async call(operation: string, ...parameters: readonly unknown[]): Promise<unknown> {
    const operations = (this.#writing ??= writeOperations(this.connection, this.#writeSlice));
    return attempt(() => perform(operations, operation, parameters));
  }

  /** Detaches the transferred buffers, as a call to another thread does. */
  async callWithTransfer(
    transfer: ArrayBuffer[],
    operation: string,
    ...parameters: unknown[]
  ): Promise<unknown> {
    return await this.call(operation, ...structuredClone(parameters, { transfer }));
  }

  async read(operation: string, ...parameters: readonly unknown[]): Promise<unknown> {
    const reads = (this.#reading ??= readOperations(this.connection));
    return attempt(() => reads.inTransaction(() => perform(reads, operation, parameters)));
  }

  lookUp(operation: string, ...parameters: readonly unknown[]): Promise<unknown> {
    return this.read(operation, ...parameters);
  }

  async operate(name: string, _use: Use, parameters: readonly unknown[]): Promise<unknown> {
    const stored = (this.#stored ??= storedOperations(this.connection));
    const outcome = attempt(() => perform(stored, name, parameters)) as OperationOutcome;
    if ('refused' in outcome) throw new DomainError(outcome.refused, outcome.message);
    return outcome.value;
  }

  beforeClose(): void {
    // Nothing happens here, because this database is never closed.
  }
}

/** Prepares each statement when it is first used, because a test uses few statements. */
function prepareLater(database: Database): void {
  const prepare = database.prepare.bind(database) as (sql: string) => Statement;
  const later = (sql: string) => {
    let isPlucked = false;
    let prepared: Statement | undefined;
    const use = () => (prepared ??= isPlucked ? prepare(sql).pluck() : prepare(sql));
    const statement = {
      pluck: () => {
        isPlucked = true;
        return statement;
      },
      get reader() {
        return use().reader;
      },
      run: (...values: unknown[]) => use().run(...values),
      get: (...values: unknown[]) => use().get(...values),
      all: (...values: unknown[]) => use().all(...values),
      iterate: (...values: unknown[]) => use().iterate(...values),
    };
    return statement;
  };
  database.prepare = later as unknown as Database['prepare'];
}

/** The operations of the writing thread. */
function writeOperations(database: Database, writeSlice: number | undefined) {
  const observations = observationOperations(database, writeSlice);
  const stations = stationRemoval(database, observations.mergeAllRuns);
  return { ...observations, ...stations, ...damagedReads(database) };
}

/**
 * Runs an operation. It can return its value in a wrapper, which makes a thread transfer the memory of the value instead of
 * copying it. Here no thread runs, so this function takes the value out of the wrapper.
 */
function perform(operations: object, name: string, parameters: readonly unknown[]): unknown {
  const operation = (operations as Readonly<Record<string, (...values: readonly unknown[]) => unknown>>)[
    name
  ];
  if (operation === undefined) throw new Error(`The operation ${name} does not exist.`);
  const result = operation(...parameters);
  const isWrapped = typeof result === 'object' && result !== null && valueSymbol in result;
  return isWrapped ? result[valueSymbol] : result;
}

/** Maps each error of `work` to DomainError STORE_UNAVAILABLE. */
function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new DomainError('STORE_UNAVAILABLE', 'The data file cannot be used.', { cause: error });
  }
}
