import { oldestRequests } from '#adapters/store/recheck/recheck-operations.js';
import { requestWritten, storeRechecked } from '#adapters/store/observations/recheck-rows.js';
import type { RecheckStore } from '#application/ports/recheck-store.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { postgresStore } from '../database/postgres-store.js';
import { runOver, runWith } from '../database/statements.js';
import { anyStationOf } from '../observations/blocks.js';
import { PostgresObservationTables } from '../observations/observation-tables.js';
import type { RunCache } from '../observations/run-cache.js';

/** Stores requests for rechecks in PostgreSQL. A recheck applies quality control to stored rows once more. */
export function postgresRecheckStore(database: PostgresDatabase, runs: RunCache): RecheckStore {
  return {
    ...postgresStore(database, 'recheck'),

    requests: async (limit, after = 0, collects = true) => {
      const { rows: written } = collects
        ? await database.query<{ block: number }>(
            'SELECT block FROM weatherd.block WHERE last > requested ORDER BY block',
          )
        : { rows: [] };
      for (const { block } of written)
        await database.transaction((query) =>
          runWith(query, new PostgresObservationTables(query, runs), requestWritten([anyStationOf(block)])),
        );
      return await database.withConnection((query) => runOver(query, oldestRequests(limit, after)));
    },

    turn: () => Promise.resolve(),

    recheck: async (station, revision, rows) => {
      const { changes, inserted } = await database.transaction(async (query) => {
        const tables = new PostgresObservationTables(query, runs);
        const stored = await runWith(query, tables, storeRechecked(station, revision, rows));
        return { changes: stored, inserted: tables.inserted };
      });
      for (const { block, run } of inserted) runs.set(block, run.id, run);
      return changes;
    },
  };
}
