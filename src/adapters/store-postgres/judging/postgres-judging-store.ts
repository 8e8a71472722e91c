import { addRequests } from '#adapters/store/judging/judging-requests.js';
import type {
  FinishedRequest,
  JudgingRequest,
  JudgingStore,
  StoredRequest,
} from '#application/ports/judging-store.js';
import { ChangedRows, type ObservationChanges } from '#domain/weather/changed-rows.js';
import type { Series } from '#domain/weather/series.js';
import { encodeRun, Run } from '#adapters/formats/packed/run-codec.js';
import { revisionText } from '#adapters/packed-store/damage.js';
import { lossOfState, StationStates } from '#adapters/packed-store/station-states.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Query } from '../database/query.js';
import { TableDrops } from '../day-tables/dropped-tables.js';
import {
  blockOf,
  lockForWriting,
  type OpenBlock,
  openBlocks,
  tryLockForMerging,
} from '../observations/blocks.js';
import { insertRuns } from '../observations/inserted-runs.js';
import { FetchedNewest, lossOf, readNewest } from '../observations/newest-rows.js';
import type { RunCache } from '../observations/run-cache.js';
import { runOver } from '../database/statements.js';
import { requestsOfBlock } from './judging-requests.js';

/** What is to be judged again, in PostgreSQL. */
export class PostgresJudgingStore implements JudgingStore {
  readonly #database: PostgresDatabase;
  readonly #runs: RunCache;

  constructor(database: PostgresDatabase, runs: RunCache) {
    this.#database = database;
    this.#runs = runs;
  }

  async request(requests: readonly JudgingRequest[]): Promise<void> {
    await this.#database.transaction((query) => runOver(query, addRequests(requests)));
  }

  async requests(limit: number, after = 0): Promise<readonly StoredRequest[]> {
    const { rows: blocks } = await this.#database.query<{ block: number }>(
      'SELECT block FROM weatherd.block WHERE last > requested ORDER BY block',
    );
    for (const { block } of blocks)
      await this.#database.transaction((query) => requestsOfBlock(query, block, this.#runs));
    const { rows } = await this.#database.query<
      Omit<StoredRequest, 'near'> & { latitude: number | null; longitude: number | null }
    >(
      `SELECT id, station, latitude, longitude, from_time AS "from", to_time AS "to", spreads
       FROM weatherd.judging_request
       WHERE id > $2 AND (station IS NULL OR station IN (SELECT number FROM weatherd.station)) ORDER BY id LIMIT $1`,
      [limit, after],
    );
    return rows.map(({ latitude, longitude, ...row }) => {
      const near = latitude === null || longitude === null ? undefined : { latitude, longitude };
      return { ...row, ...(near && { near }) };
    });
  }

  async waiting(): Promise<number> {
    const { rows } = await this.#database.query<{ count: number }>(
      'SELECT count(*)::float8 AS count FROM weatherd.judging_request',
    );
    return rows[0]?.count ?? 0;
  }

  async finish(done: readonly FinishedRequest[]): Promise<void> {
    await this.#database.query(
      `WITH done AS (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS done (id, rest)),
         gone AS (DELETE FROM weatherd.judging_request WHERE id IN (SELECT id FROM done) RETURNING *)
       INSERT INTO weatherd.judging_request (station, latitude, longitude, from_time, to_time, spreads)
       SELECT station, latitude, longitude, rest, to_time, spreads FROM gone JOIN done USING (id) WHERE rest IS NOT NULL ORDER BY id`,
      [done.map(({ id }) => id), done.map(({ from }) => from ?? null)],
    );
  }

  async judge(station: number, revision: string, rows: Series): Promise<ObservationChanges | undefined> {
    const judged = await this.#database.transaction((query) =>
      judgeRows(query, station, revision, rows, this.#runs),
    );
    if (judged === undefined) return undefined;
    const { run } = judged;
    this.#runs.set(blockOf(station), run.id, run);
    const changed = new ChangedRows();
    changed.addAll(station, rows.times, run.id);
    return changed.changes;
  }
}

/** Writes the judged rows as a run. @returns undefined if the station has another revision or is unknown */
async function judgeRows(
  query: Query,
  station: number,
  revision: string,
  rows: Series,
  cache: RunCache,
): Promise<{ readonly run: Run } | undefined> {
  const block = blockOf(station);
  const { rows: known } = await query('SELECT FROM weatherd.station WHERE number = $1', [station]);
  if (known.length === 0) return undefined;
  await lockForWriting(query, [block]);
  // While a merger works in the block, it may replace the stored state. The rows of this run are then judged once more.
  const canSave = await tryLockForMerging(query, block);
  const open = (await openBlocks(query, [block], cache)).get(block) as OpenBlock;
  const newest = new FetchedNewest();
  newest.set([station], await readNewest(query, [station]));
  const states = new StationStates(newest);
  const cached = states.of(station, open);
  const loss = lossOfState(cached, lossOf(station, open));
  if (revisionText(cached.revision, loss) !== revision) return undefined;
  const key = [block, open.last + 1];
  const data = encodeRun(key, [{ station, from: 0, inserted: 0 }], rows);
  const run = new Run(open.last + 1, key, data, true);
  const [first, last] = [rows.times[0] as number, rows.times.at(-1) as number];
  await insertRuns(query, [{ block, run, first, last, data }]);
  const dayTables = new TableDrops(new Map([[block, open]]));
  dayTables.drop(station, first, last);
  await dayTables.write(query);
  if (canSave) {
    cached.state.rejudge(rows);
    cached.revision = cached.seen = run.id;
    states.save(station, cached);
    await newest.write(query);
  }
  return { run };
}
