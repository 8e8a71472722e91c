import type {
  FinishedRequest,
  JudgingRequest,
  JudgingStore,
  StoredRequest,
} from '#application/ports/judging-store.js';
import type { ObservationChanges } from '#domain/weather/changed-rows.js';
import type { Series } from '#domain/weather/series.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** What is to be judged again, in a SQLite data file. */
export class SqliteJudgingStore implements JudgingStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  request(requests: readonly JudgingRequest[]): Promise<void> {
    return this.#database.call('requestJudging', requests);
  }

  requests(limit: number, after = 0): Promise<readonly StoredRequest[]> {
    return this.#database.call('judgingRequests', limit, after);
  }

  waiting(): Promise<number> {
    return this.#database.call('countJudging');
  }

  finish(done: readonly FinishedRequest[]): Promise<void> {
    return this.#database.call('finishJudging', done);
  }

  judge(station: number, revision: string, rows: Series): Promise<ObservationChanges | undefined> {
    return this.#database.call('judgeRows', station, revision, rows);
  }
}
