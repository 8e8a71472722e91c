import type { RecheckStore } from '#application/ports/recheck-store.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { sqliteStore } from '../database/sqlite-store.js';

/** The recheck requests in a SQLite data file. A recheck request asks quality control to check stored rows again. */
export function sqliteRecheckStore(database: SqliteDatabase): RecheckStore {
  return {
    ...sqliteStore(database, 'recheck'),
    requests: (limit, after = 0, collects = true) => database.call('recheckRequests', limit, after, collects),
    turn: async () => void (await database.call('recheckRequests', 0, 0, false)),
    recheck: (station, revision, rows) => database.call('flagRows', station, revision, rows),
  };
}
