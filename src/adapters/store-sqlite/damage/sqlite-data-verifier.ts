import type { Database } from 'better-sqlite3';
import type { DataVerifier, Verification, VerifyWatch } from '#application/ports/data-verifier.js';
import { checkStore } from '#adapters/packed-store/check/check-store.js';
import type { Findings } from '#adapters/packed-store/check/check-findings.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { isCorrupt } from './corrupt.js';
import { SqliteCheckedStore } from './sqlite-checked-store.js';

/** Maximum number of faults of the file in a result. */
const MAX_FAULTS = 20;

/** Checks a whole data file on a separate connection. The check blocks its thread, so only the command line may use this class. */
export class SqliteDataVerifier implements DataVerifier {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async verify(watch: VerifyWatch): Promise<Verification> {
    return (await this.#check(watch)).verification;
  }

  async discard(watch: VerifyWatch): Promise<Verification> {
    const { findings, verification } = await this.#check(watch);
    const { differences } = findings;
    const damage = findings.damage.map((one) => one.damage);
    if (damage.length + differences.length === 0) return verification;
    while (await this.#database.call('mergeRuns', 'all'));
    await this.#database.call('discardDamaged', { stations: [], damage, differences });
    return verification;
  }

  async #check(watch: VerifyWatch): Promise<{ findings: Findings; verification: Verification }> {
    return await this.#withConnection(async (connection) => {
      const store = new SqliteCheckedStore(connection);
      const findings = await checkStore(store, watch);
      const faults = faultsOf(connection);
      return { findings, verification: findings.describe(await store.ids(), faults) };
    });
  }

  async #withConnection<T>(work: (connection: Database) => Promise<T>): Promise<T> {
    // The driver is imported here, so that an idle service loads it only in the writing thread.
    const { Sqlite } = await import('../database/driver.js');
    const connection = new Sqlite(this.#database.file, { readonly: true, fileMustExist: true });
    try {
      return await work(connection);
    } finally {
      connection.close();
    }
  }
}

/** Returns the faults that SQLite finds in the data file. SQLite may stop its search at a damaged page of the file. */
function faultsOf(connection: Database): string[] {
  const faults: string[] = [];
  const check = connection.prepare<[], string>(`PRAGMA integrity_check(${MAX_FAULTS})`).pluck();
  try {
    for (const text of check.iterate()) if (text !== 'ok') faults.push(text);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    if (faults.length === 0) faults.push(error.message);
  }
  return faults;
}
