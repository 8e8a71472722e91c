import type { Database } from 'better-sqlite3';
import type { Rules } from '#adapters/packed-store/run-commit.js';
import { KnownRules } from '#adapters/store/stations/station-rules.js';
import { runOn } from '../database/statements.js';

/** The rules of all stations that exist. */
export function stationRules(database: Database): () => Rules {
  const known = new KnownRules();
  return () => runOn(database, known.read());
}
