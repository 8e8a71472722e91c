import type {
  LockedState,
  NewRun,
  ObservationTables,
  TimeSpan,
} from '#adapters/store/observations/tables.js';
import { KnownRules } from '#adapters/store/stations/known-rules.js';
import { dayOfKey, stationOfKey } from '#adapters/formats/packed/chunk-key.js';
import {
  type CountedChunk,
  earliestStart,
  OLDEST_CHUNKS,
  type OldestChunks,
  selectOldest,
} from '#adapters/packed-store/chunks/chunk-days.js';
import { seriesOf } from '#adapters/packed-store/days/daily-series.js';
import { joinedState } from '#adapters/packed-store/days/joined-states.js';
import type { Damage } from '#adapters/packed-store/damage.js';
import type { Rules } from '#adapters/packed-store/run-commit.js';
import { type CachedState, type Runs, StationStates } from '#adapters/packed-store/station-states.js';
import type { ChunkSpan } from '../chunks/chunk-rows.js';
import { FetchedChunks } from '../chunks/fetched-chunks.js';
import { putAside, readDamage } from '../damage/damaged-blobs.js';
import { byStatement } from '../database/by-statement.js';
import { commitTogether } from '../database/distribution.js';
import type { Query } from '../database/query.js';
import { runOver } from '../database/statements.js';
import { AggregateDrops } from '../daily-aggregates/aggregate-drops.js';
import { keepMonthsInBlock } from '../daily-aggregates/keep-months-in-block.js';
import { mergeBlock } from './block-merger.js';
import {
  blockOf,
  blocksOf,
  lockForChanging,
  lockForWriting,
  type OpenBlock,
  openBlocks,
  tryLockForMerging,
  consumeRunId,
} from './blocks.js';
import { insertRuns } from './inserted-runs.js';
import { FetchedNewest, lossOf, readNewest, storedStations } from './newest-rows.js';
import { dayNumber } from './observation-reader.js';
import { RunCache } from './run-cache.js';

/**
 * Number of rows whose values one transaction should erase at least. The rows are stored in chunks (packed rows of some days of a
 * station), and whole chunks are taken until this number is reached.
 */
const ERASED_ROWS = 4096;
/**
 * An empty list of runs (packed rows of one commit each). It is given to `StationStates`, which computes the state of a station
 * (newest values and totals) from the stored state and the runs. The list is empty when the rows of all runs were already moved
 * into chunks, because the stored state then includes these rows.
 */
const NO_RUNS = { all: [], last: 0, damagedRuns: '', hasDays: false };
/**
 * The mask that selects all chunks (packed rows of some days of a station). Every other mask has one bit set, the bit of a
 * variable, and selects the chunks that contain this variable.
 */
const ANY = 0;

/**
 * The tables of observations within the transaction of `query`. The methods lock blocks (groups of 64 stations) in ascending
 * order. The transaction must not have locked a block before, because this order could then be violated, and two transactions
 * could deadlock.
 */
export class PostgresObservationTables implements ObservationTables {
  /** The runs (packed rows of one commit) that the transaction has inserted. */
  readonly inserted: NewRun[] = [];
  readonly #query: Query;
  readonly #runs: RunCache;
  #chunks = new FetchedChunks();
  #blocks: ReadonlyMap<number, OpenBlock> | undefined;

  /**
   * @param runs a cache of runs (packed rows of one commit each), so that operations that read runs need not read all of them
   *   from the database
   */
  constructor(query: Query, runs = new RunCache()) {
    this.#query = query;
    this.#runs = runs;
  }

  mustCommit(): boolean {
    return true;
  }

  async settle(stations: readonly number[], changesStations = false): Promise<Rules> {
    const blocks = blocksOf(stations);
    // `station_version` has a number that each change of stations raises. Every transaction that changes stations locks this row
    // before anything else, so that such transactions run one after the other and cannot deadlock.
    if (changesStations) await this.#query('SELECT FROM weatherd.station_version FOR UPDATE');
    await commitTogether(this.#query);
    await lockForChanging(this.#query, blocks);
    const rules = await runOver(this.#query, new KnownRules().read());
    const cache = new RunCache();
    for (const block of blocks) await mergeBlock(this.#query, block, cache, undefined, Infinity);
    return rules;
  }

  keepMonths(station: number, from: number, to: number): Promise<boolean> {
    return keepMonthsInBlock(this.#query, station, from, to);
  }

  async oldestChunks(station: number, from: number, to: number): Promise<OldestChunks> {
    const [first, last] = [dayNumber(from), dayNumber(to - 1)];
    const { rows } = await this.#query<CountedChunk>(
      `SELECT day, days, rows FROM weatherd.chunk
       WHERE block = $1 AND station = $2 AND day >= $5 AND day <= $4 AND day + days > $3
       ORDER BY day LIMIT ${OLDEST_CHUNKS}`,
      [blockOf(station), station, first, last, earliestStart(first)],
    );
    return selectOldest(rows, ERASED_ROWS);
  }

  async openDays(spans: readonly ChunkSpan[]): Promise<FetchedChunks> {
    this.#chunks = new FetchedChunks();
    await this.#chunks.fetch(this.#query, spans);
    return this.#chunks;
  }

  async storeDays(): Promise<void> {
    for (const damage of this.#chunks.damage)
      await putAside(this.#query, blockOf(damage.stations?.[0] as number), damage);
    await this.#chunks.write(this.#query);
  }

  async stateDays(variables: ReadonlyMap<number, readonly number[]>): Promise<Map<number, number[]>> {
    const days = new Map<number, number[]>();
    const wanted = [...variables].flatMap(([station, own]) =>
      [ANY, ...own.map((variable) => 2 ** variable)].map((mask) => [station, mask] as const),
    );
    const parts = byStatement(this.#query, wanted, ([station]) => blockOf(station), 'wanted.block');
    for (const [some, inBlock] of parts) {
      const own = `SELECT day FROM weatherd.chunk WHERE block = ${inBlock} AND station = wanted.station`;
      const { rows } = await this.#query<{ station: number; oldest: number | null; newest: number | null }>(
        `SELECT station,
           CASE mask WHEN ${ANY} THEN (${own} ORDER BY day LIMIT 1) END AS oldest,
           (${own} AND (mask = ${ANY} OR variables & mask <> 0) ORDER BY day DESC LIMIT 1) AS newest
         FROM unnest($1::integer[], $2::integer[], $3::bigint[]) AS wanted (block, station, mask)`,
        [
          some.map(([station]) => blockOf(station)),
          some.map(([station]) => station),
          some.map(([, mask]) => mask),
        ],
      );
      for (const { station, oldest, newest } of rows) {
        if (newest === null) continue;
        const known = days.get(station) ?? [];
        days.set(station, [...known, ...(oldest === null ? [] : [oldest, newest - 1]), newest]);
      }
    }
    return days;
  }

  async states(stations: readonly number[], runs: Runs = NO_RUNS): Promise<Map<number, CachedState>> {
    const newest = new FetchedNewest();
    newest.set(stations, await readNewest(this.#query, stations));
    const states = new StationStates(newest);
    return new Map(stations.map((station) => [station, states.of(station, runs)]));
  }

  async putStates(changed: ReadonlyMap<number, CachedState>): Promise<void> {
    const newest = new FetchedNewest();
    const states = new StationStates(newest);
    for (const [station, state] of changed) states.save(station, state);
    await newest.write(this.#query);
  }

  async newRevisions(stations: readonly number[]): Promise<Map<number, number>> {
    const revisions = new Map<number, number>();
    for (const block of blocksOf(stations)) revisions.set(block, await consumeRunId(this.#query, block));
    return new Map(stations.map((station) => [station, revisions.get(blockOf(station)) as number]));
  }

  async chunkStarts(station: number): Promise<number[]> {
    const { rows } = await this.#query<{ day: number }>(
      'SELECT day FROM weatherd.chunk WHERE block = $1 AND station = $2 ORDER BY day',
      [blockOf(station), station],
    );
    return rows.map(({ day }) => day);
  }

  /**
   * Moves damaged chunks (packed rows of some days of a station) into the table `damaged`. Each chunk is read once more before it
   * is moved, because an intact chunk may have replaced it in the meantime. Damaged runs (packed rows of one commit each) are
   * already in this table, because the merge has moved them.
   */
  async putAside(damage: readonly Damage[]): Promise<void> {
    for (const { kind, key } of damage) {
      if (kind !== 'chunk') continue;
      const [station, day] = [stationOfKey(key), dayOfKey(key)];
      const chunks = await this.openDays([{ station, first: day, last: day }]);
      chunks.rows(station, day);
      await this.storeDays();
    }
  }

  async discardAside(stations: readonly number[]): Promise<number[]> {
    const lost: number[] = [];
    for (const [block, damage] of await readDamage(this.#query, blocksOf(stations))) {
      const isUnknown = damage.some((one) => one.stations === null);
      const known = damage.flatMap((one) => one.stations ?? []);
      lost.push(...(isUnknown ? await storedStations(this.#query, block) : known));
      await this.#query('DELETE FROM weatherd.damaged WHERE block = $1', [block]);
      await this.#query('UPDATE weatherd.block SET damaged = 0 WHERE block = $1', [block]);
    }
    return [...new Set(lost)];
  }

  rebuildLists(): void {
    // Does nothing here. In the SQLite store, this method rebuilds the table that lists the chunks which each station must have;
    // the PostgreSQL store has no such table.
  }

  async uncheckedStates([station = 0]: readonly number[]): Promise<ReadonlyMap<number, CachedState>> {
    const block = blockOf(station);
    if (!(await tryLockForMerging(this.#query, block))) return new Map();
    const open = await this.#open(block);
    const { rows: written } = await this.#query<{ station: number }>(
      'SELECT station FROM weatherd.newest WHERE block = $1 AND unjudged_from IS NOT NULL',
      [block],
    );
    const stations = new Set(written.map((row) => row.station));
    for (const run of open.all) for (const one of run.stations) stations.add(one);
    const states = await this.states([...stations], open);
    await commitTogether(this.#query);
    await this.#query('UPDATE weatherd.block SET requested = $2 WHERE block = $1', [block, open.last]);
    return states;
  }

  async lockState(station: number): Promise<LockedState> {
    const block = blockOf(station);
    await lockForWriting(this.#query, [block]);
    const isLocked = await tryLockForMerging(this.#query, block);
    const open = await this.#open(block);
    const found = await this.states(open.hasDays ? seriesOf([station]) : [station], open);
    const states = joinedState({ of: (series) => found.get(series) as CachedState }, station, open);
    return { states, loss: lossOf(station, open), block, last: open.last, isLocked };
  }

  async insertRun(run: NewRun): Promise<void> {
    this.inserted.push(run);
    await insertRuns(this.#query, [run]);
  }

  async #open(block: number): Promise<OpenBlock> {
    this.#blocks = await openBlocks(this.#query, [block], this.#runs);
    return this.#blocks.get(block) as OpenBlock;
  }

  async dropDailyAggregates(spans: readonly TimeSpan[]): Promise<void> {
    const tables = new AggregateDrops(this.#blocks);
    for (const span of spans) tables.drop(...span);
    await tables.write(this.#query);
  }
}
