import type { DataVerifier, Verification, VerifyWatch } from '#application/ports/data-verifier.js';
import { checkStore } from '#adapters/packed-store/check/check-store.js';
import type { Findings } from '#adapters/packed-store/check/findings.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { blockOf } from '../observations/blocks.js';
import { discardInBlock, forgetImports } from './discard-damaged.js';
import { PostgresCheckedStore } from './postgres-checked-store.js';

/** Reads all observations of a PostgreSQL database. */
export class PostgresDataVerifier implements DataVerifier {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async verify(watch: VerifyWatch): Promise<Verification> {
    return (await this.#check(watch)).verification;
  }

  async discard(watch: VerifyWatch): Promise<Verification> {
    const { findings, verification } = await this.#check(watch);
    const { damage, differences } = findings;
    const blocks = new Set(damage.map(({ block }) => block));
    for (const { station } of differences) if (station !== undefined) blocks.add(blockOf(station));
    for (const block of [...blocks].sort((a, b) => a - b))
      await this.#database.transaction((query) => discardInBlock(query, block, findings));
    const imports = differences.flatMap(({ kind, key }) => (kind === 'journal' ? [key] : []));
    if (imports.length > 0) await this.#database.transaction((query) => forgetImports(query, imports));
    return verification;
  }

  async #check(watch: VerifyWatch): Promise<{ findings: Findings; verification: Verification }> {
    const store = new PostgresCheckedStore(this.#database);
    const findings = await checkStore(store, watch);
    return { findings, verification: findings.describe(await store.ids(), []) };
  }
}
