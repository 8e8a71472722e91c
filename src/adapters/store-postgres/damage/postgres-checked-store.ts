import type { QueryResultRow } from 'pg';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import {
  type CheckedChunk,
  type CheckedJournal,
  type CheckedStore,
  type CheckedTable,
  CHUNKS_AT_ONCE,
  type StoredBlock,
} from '#adapters/packed-store/check/stored-block.js';
import { StationStates } from '#adapters/packed-store/station-states.js';
import { isPageFault } from '../database/database-faults.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Query } from '../database/query.js';
import { blockOf, type OpenBlock, openBlocks } from '../observations/blocks.js';
import { FetchedNewest, readNewest } from '../observations/newest-rows.js';
import { RunCache } from '../observations/run-cache.js';

/** Maximum number of journals that one query reads. */
const JOURNALS_AT_ONCE = 20;

/** Reads the observations of a PostgreSQL database for `weatherd check`. */
export class PostgresCheckedStore implements CheckedStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async rows(): Promise<number> {
    const { rows } = await this.#database.query<{ rows: number }>(
      'SELECT coalesce(sum(rows), 0)::bigint AS rows FROM weatherd.newest',
    );
    return rows[0]?.rows ?? 0;
  }

  /** Returns the numbers of all blocks (groups of 64 stations) that have or had rows. */
  async blocks(): Promise<readonly number[]> {
    const { rows } = await this.#database.query<{ block: number }>(
      'SELECT block FROM weatherd.block UNION SELECT block FROM weatherd.newest ORDER BY block',
    );
    return rows.map(({ block }) => block);
  }

  read<T>(block: number, work: (stored: StoredBlock) => Promise<T>): Promise<T> {
    return this.#database.reading(async (query) => await work(await openStored(query, block)));
  }

  async ids(): Promise<ReadonlyMap<number, string>> {
    const { rows } = await this.#database.query<{ number: number; id: string }>(
      'SELECT number, id FROM weatherd.any_station',
    );
    return new Map(rows.map(({ number, id }) => [number, id]));
  }

  async journals(after: number): Promise<readonly CheckedJournal[]> {
    const { rows } = await this.#database.query<CheckedJournal>(
      `SELECT id, import, data FROM weatherd.import_journal WHERE id > $1 ORDER BY id LIMIT ${JOURNALS_AT_ONCE}`,
      [after],
    );
    return rows;
  }
}

async function openStored(query: Query, block: number): Promise<StoredBlock> {
  const open = (await openBlocks(query, [block], new RunCache())).get(block) as OpenBlock;
  const stations = await stationsOf(query, open);
  const newest = new FetchedNewest();
  newest.set(stations, await readNewest(query, stations));
  const states = new StationStates(newest);
  const { rows: noted } = await query<{ id: number; rows: number; first: number; last: number }>(
    'SELECT id, rows, first, last FROM weatherd.run WHERE block = $1',
    [block],
  );
  const columns = new Map(noted.map((row) => [row.id, row]));
  return {
    block,
    stations,
    runs: open.all.map((run) => {
      const { rows = 0, first = null, last = null } = columns.get(run.id) ?? {};
      return { name: `run ${block} ${run.id}`, run, rows, first, last };
    }),
    damage: open.damage.map((damage) => ({ name: `${damage.kind} ${block} ${damage.key} damaged`, damage })),
    runsOf: () => open.all,
    stateOf: (station) => states.of(station, open),
    chunks: (station, after) => readChunks(query, block, station, after),
    dailyAggregates: async (station) => {
      const { rows: removed } = await query<CheckedTable>(
        `SELECT month_start AS start, month_end AS "end", zone, data, true AS "isRemoved" FROM weatherd.removed_month
         WHERE station = $1`,
        [station],
      );
      const { rows: kept } = await query<CheckedTable>(
        `SELECT start, "end", zone, data, false AS "isRemoved" FROM weatherd.day_table
         WHERE block = $1 AND station = $2`,
        [block, station],
      );
      return [...removed, ...kept].sort((a, b) => a.start - b.start);
    },
  };
}

const STATIONS_OF_CHUNKS = `WITH RECURSIVE of_chunks AS (
    SELECT min(station) AS station FROM weatherd.chunk WHERE block = $1
    UNION ALL
    SELECT (SELECT min(station) FROM weatherd.chunk WHERE block = $1 AND station > of_chunks.station) FROM of_chunks
    WHERE of_chunks.station IS NOT NULL)
  SELECT station FROM of_chunks WHERE station IS NOT NULL`;

/** The stations of a block (group of 64 stations) that have rows, except stations that are being erased. */
async function stationsOf(query: Query, { block, all }: OpenBlock): Promise<number[]> {
  const known = await query<{ station: number }>('SELECT station FROM weatherd.newest WHERE block = $1', [
    block,
  ]);
  const ofChunks = await readable<{ station: number }>(query, STATIONS_OF_CHUNKS, [block]);
  const { rows: erased } = await query<{ number: number }>('SELECT number FROM weatherd.erased_station');
  const stations = new Set([...known.rows, ...ofChunks].map(({ station }) => station));
  for (const run of all) for (const station of run.stations) stations.add(station);
  for (const { number } of erased) stations.delete(number);
  return [...stations].filter((station) => blockOf(station) === block).sort((a, b) => a - b);
}

async function readChunks(
  query: Query,
  block: number,
  station: number,
  after: number,
): Promise<readonly CheckedChunk[]> {
  return await inSavepoint(query, async () => {
    const { rows } = await query<CheckedChunk>(
      `SELECT day, days, rows, variables, data FROM weatherd.chunk
       WHERE block = $1 AND station = $2 AND day > $3 ORDER BY day LIMIT ${CHUNKS_AT_ONCE}`,
      [block, station, after],
    );
    return rows;
  });
}

/**
 * Returns the rows of a statement. If PostgreSQL cannot read a page of the table because the page is damaged, returns no rows.
 * The check then finds the damage when it reads the rows of each station.
 */
async function readable<R extends QueryResultRow>(
  query: Query,
  text: string,
  values: readonly number[] = [],
): Promise<readonly R[]> {
  try {
    return await inSavepoint(query, async () => (await query<R>(text, values)).rows);
  } catch (error) {
    if (error instanceof DamagedBlobError) return [];
    throw error;
  }
}

/**
 * Runs `work` within a savepoint. Without the savepoint, an error would end the transaction, and the check could not continue.
 *
 * @throws DamagedBlobError if PostgreSQL cannot read a page of a table because the page is damaged
 */
async function inSavepoint<T>(query: Query, work: () => Promise<T>): Promise<T> {
  await query('SAVEPOINT checked');
  try {
    const result = await work();
    await query('RELEASE SAVEPOINT checked');
    return result;
  } catch (error) {
    if (!isPageFault(error)) throw error;
    await query('ROLLBACK TO SAVEPOINT checked');
    throw new DamagedBlobError(error.message, { cause: error });
  }
}
