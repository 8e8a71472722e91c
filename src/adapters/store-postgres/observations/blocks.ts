import { type Damage, openRun, type DamagedRunRow, runsOf } from '#adapters/packed-store/damage.js';
import { DAILY_SERIES, stationOf } from '#adapters/packed-store/days/daily-series.js';
import { haveDays } from '#adapters/packed-store/days/joined-states.js';
import type { Runs } from '#adapters/packed-store/station-states.js';
import { Run } from '#adapters/formats/packed/run-codec.js';
import { byStatement } from '../database/by-statement.js';
import type { Query } from '../database/query.js';
import { readDamage } from '../damage/damaged-blobs.js';
import type { OpenedRuns } from './run-cache.js';

/**
 * Number of stations in a block. The rows of one commit are packed into one run for each block.
 *
 * In the tables, the keys of all rows of a block begin with the number of the block, and a transaction that reads or merges rows
 * uses only one block. A distributed database can therefore store each block on one server.
 */
const STATIONS_PER_BLOCK = 64;

/** The block of a series. Both series of a station, its reports and its daily values, belong to the same block. */
export function blockOf(series: number): number {
  return Math.floor(stationOf(series) / STATIONS_PER_BLOCK);
}

/** Returns a station number that belongs to the block. A block is a group of 64 consecutive numbers. */
export function anyStationOf(block: number): number {
  return block * STATIONS_PER_BLOCK;
}

/** The numbers of the blocks (groups of 64 stations) that contain these stations, in ascending order. */
export function blocksOf(stations: Iterable<number>): number[] {
  const blocks = new Set<number>();
  for (const station of stations) blocks.add(blockOf(station));
  return [...blocks].sort((a, b) => a - b);
}

/**
 * Divides series into groups, so that the series of a group belong to at most `size` blocks, and all series of a block to the same
 * group. A block has 64 stations. The blocks are in ascending order, and the series of a block too.
 */
export function byBlocks(series: Iterable<number>, size: number): number[][] {
  const byBlock = new Map<number, number[]>();
  // The numbers of daily series are higher than those of all reports, so the series of a block do not follow each other.
  for (const one of [...new Set(series)].sort((a, b) => a - b)) {
    const own = byBlock.get(blockOf(one));
    if (own === undefined) byBlock.set(blockOf(one), [one]);
    else own.push(one);
  }
  const blocks = [...byBlock].sort(([a], [b]) => a - b).map(([, own]) => own);
  return Array.from({ length: Math.ceil(blocks.length / size) }, (_, index) =>
    blocks.slice(index * size, (index + 1) * size).flat(),
  );
}

/**
 * Each block (group of 64 stations) has two advisory locks, one for writers and one for mergers. The key of such a lock is a pair
 * of numbers: one of these constants, and the number of the block.
 *
 * A writer inserts runs (packed rows of one commit each). A merger moves the rows of runs into chunks (packed rows of some days
 * of a station) and deletes the runs.
 */
const WRITER = 0x57585752; // "WXWR" in ASCII
const MERGER = 0x57584d47; // "WXMG" in ASCII

/**
 * Locks blocks (groups of 64 stations) for writing until the transaction ends. Each transaction locks its blocks in ascending
 * order, so that transactions cannot deadlock.
 */
export async function lockForWriting(query: Query, blocks: readonly number[]): Promise<void> {
  await lockAll(query, WRITER, blocks);
}

/**
 * Locks blocks (groups of 64 stations) for a change of stored rows. Until the transaction ends, no other transaction writes or
 * merges rows of these blocks.
 */
export async function lockForChanging(query: Query, blocks: readonly number[]): Promise<void> {
  await lockAll(query, WRITER, blocks);
  await lockAll(query, MERGER, blocks);
}

/**
 * Tries to lock a block (group of 64 stations) for merging, which moves the rows of its runs (packed rows of one commit each)
 * into chunks (packed rows of some days of a station).
 *
 * @returns false if another transaction is merging
 */
export async function tryLockForMerging(query: Query, block: number): Promise<boolean> {
  const { rows } = await query<{ locked: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${MERGER}, $1) AS locked`,
    [block],
  );
  return rows[0]?.locked === true;
}

async function lockAll(query: Query, kind: number, blocks: readonly number[]): Promise<void> {
  await query(`SELECT pg_advisory_xact_lock(${kind}, block) FROM unnest($1::integer[]) AS block`, [
    [...blocks],
  ]);
}

/**
 * What one transaction sees of a block (group of 64 stations): its known damage, and its unmerged runs. A run contains the packed
 * rows of one commit, and is unmerged until these rows are moved into chunks (packed rows of some days of a station).
 */
export interface OpenBlock extends Runs {
  readonly block: number;
  /** Id of the last run (packed rows of one commit) whose rows were moved into chunks (packed rows of some days of a station). */
  readonly merged: number;
  /** The damaged packed rows in the table `damaged`, and those of `newDamage`, which are not in this table yet. */
  readonly damage: readonly Damage[];
  /** Damaged runs (packed rows of one commit each) that were not moved into the table `damaged` yet. */
  readonly newDamage: readonly Damage[];
  /**
   * A time after which the block (group of 64 stations) has no stored daily aggregates, which are sums for each day of a
   * month. Rows after this time change no daily aggregates. The time is the end of the last month for which daily aggregates
   * were stored. It is not lowered when these daily aggregates are dropped.
   */
  readonly tablesEnd: number;
}

/**
 * Makes all caches of a block (group of 64 stations) read the data of the block again. Call it after stored rows were changed
 * directly, that is, without writing a run. A run contains the packed rows of one commit, and the runs of a block have
 * consecutive ids.
 *
 * A cache is up to date if it includes the last run id of the block. This function raises this id by one without writing a run,
 * so each cache finds that it is not up to date, and reads the data again.
 *
 * Before the call, the transaction must have locked the block with `lockForChanging`, and merged all runs of the block.
 *
 * @returns the new last run id
 * @throws Error if the block has a run that was not merged
 */
export async function consumeRunId(query: Query, block: number): Promise<number> {
  const { rows } = await query<{ last: number }>(
    `UPDATE weatherd.block SET last = last + 1, merged_through = last + 1 WHERE block = $1 AND last = merged_through
     RETURNING last`,
    [block],
  );
  const [used] = rows;
  if (used !== undefined) return used.last;
  // No row was updated, for one of two reasons. Either the block does not exist, or another transaction has written a run (packed
  // rows of one commit) although the block is locked. The second case is possible on a distributed database: a server that could
  // not be reached can commit a run shortly after the writer of the run has released its locks.
  const { rows: left } = await query('SELECT FROM weatherd.block WHERE block = $1', [block]);
  if (left.length > 0) throw new Error(`block ${block} has a run that was not merged`);
  return 0;
}

interface BlockRow {
  readonly block: number;
  readonly merged: number;
  readonly last: number;
  readonly damaged: number;
  readonly tables_end: number | null;
  /** Whether one of the stored states is the state of a series with daily values. */
  readonly has_days: boolean;
}

/**
 * Number of attempts to read the runs (packed rows of one commit each) of a block (group of 64 stations). An attempt fails if
 * another transaction moves the rows of runs into chunks and deletes these runs at the same time.
 */
const ATTEMPTS = 5;

/**
 * Reads the unmerged runs of blocks (groups of 64 stations). A run contains the packed rows of one commit; it is unmerged until
 * its rows are moved into chunks (packed rows of some days of a station). Runs never change, so a run that is in the cache is not
 * read again.
 */
export async function openBlocks(
  query: Query,
  blocks: readonly number[],
  cache: OpenedRuns,
): Promise<Map<number, OpenBlock>> {
  const opened = new Map<number, OpenBlock>();
  let left = [...blocks];
  // In a transaction without a snapshot, each statement sees the newest data. Another transaction may therefore delete runs
  // (packed rows of one commit each) between two statements of this loop, after it has moved their rows into chunks. The block of
  // these runs is then read again.
  for (let attempt = 0; left.length > 0; attempt += 1) {
    if (attempt === ATTEMPTS) throw new Error(`runs of block ${left[0]} are missing`);
    const rows: BlockRow[] = [];
    for (const [some, inBlock] of byStatement(query, left, (block) => block, 'block.block')) {
      const found = await query<BlockRow>(
        `SELECT block, merged_through AS merged, last, damaged, tables_end, EXISTS (
           SELECT FROM weatherd.newest WHERE newest.block = ${inBlock} AND newest.station >= ${DAILY_SERIES}) AS has_days
         FROM weatherd.block WHERE block = ANY($1) AND block = ${inBlock}`,
        [[...some]],
      );
      rows.push(...found.rows);
    }
    const known = new Map(rows.map((row) => [row.block, row]));
    const found = left.map(
      (block) =>
        known.get(block) ?? { block, merged: 0, last: 0, damaged: 0, tables_end: null, has_days: false },
    );
    const damage = await readDamage(
      query,
      found.flatMap(({ block, damaged }) => (damaged > 0 ? [block] : [])),
    );
    const runs = await readRuns(query, found, cache);
    for (const row of found) {
      const one = assemble(row, damage.get(row.block) ?? [], runs.get(row.block) ?? new Map());
      if (one !== undefined) opened.set(row.block, one);
    }
    left = left.filter((block) => !opened.has(block));
  }
  return opened;
}

type RunsById = Map<number, Run | Damage>;

/**
 * Returns the unmerged runs of the blocks. A run contains the packed rows of one commit for a block (group of 64 stations), and
 * is unmerged until its rows are moved into chunks. Runs that are not in the cache are read from the database.
 *
 * @returns for each number of a block, the runs by their ids
 */
async function readRuns(
  query: Query,
  blocks: readonly BlockRow[],
  cache: OpenedRuns,
): Promise<ReadonlyMap<number, RunsById>> {
  const all = new Map<number, RunsById>();
  const wanted: { block: number; from: number; to: number }[] = [];
  for (const { block, merged, last } of blocks) {
    const own: RunsById = new Map();
    all.set(block, own);
    let [from, to] = [Infinity, -Infinity];
    for (let id = merged + 1; id <= last; id += 1) {
      const run = cache.get(block, id);
      if (run === undefined) [from, to] = [Math.min(from, id), id];
      else own.set(id, run);
    }
    if (from <= to) wanted.push({ block, from, to });
  }
  for (const [some, inBlock] of byStatement(query, wanted, ({ block }) => block, 'wanted.block')) {
    const { rows } = await query<DamagedRunRow & { block: number }>(
      `SELECT run.* FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) AS wanted (block, first, last)
       CROSS JOIN LATERAL (
         SELECT block, id, rows, first, last, data FROM weatherd.run
         WHERE block = ${inBlock} AND id >= wanted.first AND id <= wanted.last OFFSET 0) AS run`,
      [some.map(({ block }) => block), some.map(({ from }) => from), some.map(({ to }) => to)],
    );
    for (const row of rows) {
      const run = openRun(row.block, row);
      cache.set(row.block, row.id, run);
      all.get(row.block)?.set(row.id, run);
    }
  }
  return all;
}

/**
 * Makes an `OpenBlock` from the data of a block (group of 64 stations) that were read from several tables: its row in the table
 * `block`, its known damage, and its runs (packed rows of one commit each).
 *
 * @param aside the damage in the table `damaged`
 * @returns undefined if a run is missing, because another transaction has moved its rows into chunks and deleted it in the
 *   meantime
 */
function assemble(
  { block, merged, last, tables_end: end, has_days: days }: BlockRow,
  aside: readonly Damage[],
  runs: ReadonlyMap<number, Run | Damage>,
): OpenBlock | undefined {
  const isAside = new Set(aside.flatMap(({ kind, key }) => (kind === 'run' ? [key] : [])));
  const all: Run[] = [];
  const newDamage: Damage[] = [];
  for (let id = merged + 1; id <= last; id += 1) {
    if (isAside.has(id)) continue;
    const run = runs.get(id);
    if (run === undefined) return undefined;
    if (run instanceof Run) all.push(run);
    else newDamage.push(run);
  }
  const damage = [...aside, ...newDamage];
  const tablesEnd = end ?? -Infinity;
  const hasDays = days || haveDays(all);
  return { block, merged, last, all, damage, newDamage, damagedRuns: runsOf(damage), hasDays, tablesEnd };
}
