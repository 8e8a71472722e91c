import type { JudgingStore } from '#application/ports/judging-store.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { sqliteStore } from '../database/sqlite-store.js';

/** What is to be judged again, in a SQLite data file. */
export function sqliteJudging(database: SqliteDatabase): JudgingStore {
  return {
    ...sqliteStore(database, 'judging'),
    requests: (limit, after = 0) => database.call('judgingRequests', limit, after),
    judge: (station, revision, rows) => database.call('judgeRows', station, revision, rows),
  };
}
