import type { DataVerifier, Verification, VerifyWatch } from '#application/ports/data-verifier.js';
import { checkStore } from '#adapters/packed-store/check/check-store.js';
import type { Findings, FoundDifference } from '#adapters/packed-store/check/check-findings.js';
import { discardDamaged, type DiscardRequest } from '#adapters/store/observations/discard.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { runWith } from '../database/statements.js';
import { anyStationOf, blockOf } from '../observations/blocks.js';
import { PostgresObservationTables } from '../observations/observation-tables.js';
import { PostgresCheckedStore } from './postgres-checked-store.js';

/** Checks all observations of a PostgreSQL database. */
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
    const blockOfDifference = ({ station }: FoundDifference) =>
      station === undefined ? undefined : blockOf(station);
    const blocks = new Set([...damage.map(({ block }) => block), ...differences.map(blockOfDifference)]);
    for (const block of blocks)
      await this.#discard({
        stations: block === undefined ? [] : [anyStationOf(block)],
        damage: damage.flatMap((one) => (one.block === block ? [one.damage] : [])),
        differences: differences.filter((one) => blockOfDifference(one) === block),
      });
    return verification;
  }

  async #discard(found: DiscardRequest): Promise<void> {
    await this.#database.transaction((query) =>
      runWith(query, new PostgresObservationTables(query), discardDamaged(found)),
    );
  }

  async #check(watch: VerifyWatch): Promise<{ findings: Findings; verification: Verification }> {
    const store = new PostgresCheckedStore(this.#database);
    const findings = await checkStore(store, watch);
    return { findings, verification: findings.describe(await store.ids(), []) };
  }
}
