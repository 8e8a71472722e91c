import type { Rules } from '#adapters/packed-store/run-commit.js';
import { KnownRules } from '#adapters/store/stations/station-rules.js';
import type { Query } from '../database/query.js';
import { runOver } from '../database/statements.js';

/** The rules of all stations that exist. */
export class StationRulesCache {
  readonly #known = new KnownRules();

  read(query: Query): Promise<Rules> {
    return runOver(query, this.#known.read());
  }
}
