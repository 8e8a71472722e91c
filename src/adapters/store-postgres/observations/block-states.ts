import { LRUCache } from 'lru-cache';
import { type CachedState, type Runs, StationStates } from '#adapters/packed-store/station-states.js';
import { seriesOf } from '#adapters/packed-store/days/daily-series.js';
import { type JoinedState, joinedState } from '#adapters/packed-store/days/joined-states.js';
import type { WrittenStates } from '#adapters/packed-store/write-target.js';
import type { Query } from '../database/query.js';
import { blockOf, byBlocks, type OpenBlock } from './blocks.js';
import { FetchedNewest, readNewest } from './newest-rows.js';

/** Maximum number of blocks (groups of 64 stations) whose states are cached. The states of a block take about 80 kB. */
const MAX_BLOCKS = 4096;

type OpenBlocks = ReadonlyMap<number, OpenBlock>;

/**
 * Caches the states of stations: their newest values and totals. The cache is divided into blocks, which are groups of 64
 * stations.
 */
export class BlockStates implements WrittenStates {
  readonly #newest = new FetchedNewest();
  readonly #blocks = new LRUCache<number, StationStates>({ max: MAX_BLOCKS });

  /**
   * Reads states (newest values and totals) from the database, for those stations whose cached state is missing or outdated.
   * After this call, `of` can return the states of all given stations. The states that earlier calls have read from the
   * database are forgotten; the cache stays.
   */
  async fetch(query: Query, stations: Iterable<number>, open: OpenBlocks): Promise<void> {
    const stale = this.#stale(stations, open);
    this.#newest.set(stale, await readNewest(query, stale));
    this.#update(stations, open);
  }

  /**
   * The states of stations (newest values and totals), in the order of `stations`. Later calls may change these objects, so the
   * caller must use them at once.
   */
  async read(query: Query, stations: readonly number[], open: OpenBlocks): Promise<CachedState[]> {
    const stale = this.#stale(stations, open);
    const rows = await readNewest(query, stale);
    const known = new Set(stale);
    // Another call may have removed states from the cache while this call waited for the database. In this case, all states are
    // read again.
    const missing = this.#stale(stations, open).filter((station) => !known.has(station));
    if (missing.length > 0) return await this.read(query, stations, open);
    this.#newest.set(stale, rows);
    this.#update(stations, open);
    return stations.map((station) => this.of(station, open.get(blockOf(station)) as OpenBlock));
  }

  /** The states of both series of stations, in the order of `stations`, like `read`. */
  async readBoth(query: Query, stations: readonly number[], open: OpenBlocks): Promise<JoinedState[]> {
    const series = stations.flatMap((station) =>
      open.get(blockOf(station))?.hasDays === true ? seriesOf([station]) : [station],
    );
    const states = await this.read(query, series, open);
    const bySeries = new Map(series.map((one, index) => [one, states[index] as CachedState]));
    const of = (one: number) => bySeries.get(one) as CachedState;
    return stations.map((station) => joinedState({ of }, station, open.get(blockOf(station)) as OpenBlock));
  }

  /**
   * The state of a station (newest values and totals). It also includes the rows that are still in runs, which are the packed
   * rows of single commits that are not merged into chunks yet.
   */
  of(station: number, runs: Runs): CachedState {
    return this.#statesOf(blockOf(station)).of(station, runs);
  }

  /**
   * Removes the states of all stations of these blocks (groups of 64 stations) from the cache. Called after a failed transaction,
   * which may have changed these states.
   */
  forget(blocks: Iterable<number>): void {
    for (const block of blocks) this.#blocks.delete(block);
  }

  clear(): void {
    this.#blocks.clear();
  }

  #stale(stations: Iterable<number>, open: OpenBlocks): number[] {
    const stale: number[] = [];
    for (const station of stations) {
      const block = open.get(blockOf(station)) as OpenBlock;
      if (this.#statesOf(block.block).isStale(station, block)) stale.push(station);
    }
    return stale;
  }

  /** Adds the rows of new runs (packed rows of one commit each) to the states. Faster than `of`, which decodes them one by one. */
  #update(stations: Iterable<number>, open: OpenBlocks): void {
    for (const own of byBlocks(stations, 1)) {
      const block = blockOf(own[0] as number);
      this.#statesOf(block).update(own, open.get(block) as OpenBlock);
    }
  }

  #statesOf(block: number): StationStates {
    let states = this.#blocks.get(block);
    if (states === undefined) this.#blocks.set(block, (states = new StationStates(this.#newest)));
    return states;
  }
}
