import type { ObservationWrite, WriteOutcome, WriteResult } from '#application/ports/observation-store.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { isDaily } from '#domain/weather/variables.js';
import { addToJournal } from '#adapters/store/imports/journal-entries.js';
import { lockRecords, writeRecords } from '#adapters/store/records.js';
import { KnownRules } from '#adapters/store/stations/known-rules.js';
import { dailySeriesOf } from '#adapters/packed-store/days/daily-series.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { commitTogether } from '../database/distribution.js';
import { type Query, together } from '../database/query.js';
import { runOver } from '../database/statements.js';
import { BlockStates } from './block-states.js';
import { blocksOf, lockForWriting, type OpenBlock, openBlocks } from './blocks.js';
import { appendRuns } from './append-rows.js';
import { ComputedWrite } from './computed-write.js';
import { sendRuns } from './inserted-runs.js';
import type { RunCache } from './run-cache.js';

/** Number of rows from which on a write computes its rows before it locks its blocks. Fewer rows take less time than a round trip. */
const MIN_ROWS = 256;
/** Number of writes that lock their blocks first after another instance has written the same stations in the meantime. */
const TURNS_WITH_LOCK = 16;

const OUTDATED: WriteOutcome = { inserted: 0, updated: 0, unchanged: 0, unknown: [], isOutdated: true };

/**
 * Writes observations. The rows of a commit are stored as runs: one packed run for each block, which is a group of 64 stations.
 */
export class ObservationWriter {
  readonly #database: PostgresDatabase;
  readonly #runs: RunCache;
  readonly #onLoad: (blocks: Iterable<OpenBlock>) => void;
  readonly #rules = new KnownRules();
  /**
   * The cached states of stations (newest values and totals). They include the rows of the current transaction, which is not
   * committed yet. No other write sees these rows, because only one write runs at a time.
   */
  readonly #states = new BlockStates();
  #mustForget = false;
  /** Number of the next writes that lock their blocks first. */
  #turnsWithLock = 0;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param onLoad called after each write with the blocks (groups of 64 stations) that were written, and with their runs (packed
   *   rows of one commit each) that are not merged yet
   */
  constructor(database: PostgresDatabase, runs: RunCache, onLoad: (blocks: Iterable<OpenBlock>) => void) {
    this.#database = database;
    this.#runs = runs;
    this.#onLoad = onLoad;
  }

  write(writes: readonly ObservationWrite[]): Promise<WriteResult> {
    const written = this.#last.then(() => this.#write(writes));
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Implements `ObservationStore.append`. */
  append(batch: ObservationBatch): Promise<boolean> {
    const appended = this.#last.then(() => this.#append(batch));
    this.#last = appended.catch(() => undefined);
    return appended;
  }

  async #append(batch: ObservationBatch): Promise<boolean> {
    if (batch.times.length === 0) return true;
    this.#forgetIfBroken();
    try {
      const appended = await this.#database.transaction((query) =>
        appendRuns(query, batch, this.#rules, this.#states, this.#runs),
      );
      if (appended === undefined) return false;
      for (const { block, run } of appended.runs) this.#runs.set(block, run.id, run);
      this.#onLoad(appended.open.values());
      return true;
    } catch (error) {
      this.#states.forget(blocksOf(batch.stations));
      throw error;
    }
  }

  /**
   * Clears the cached states of stations before the next transaction of a write. The current transaction may still use them.
   */
  clear(): void {
    this.#mustForget = true;
  }

  /** @returns whether the caches were cleared */
  #forgetIfBroken(): boolean {
    if (!this.#mustForget) return false;
    this.#states.clear();
    this.#mustForget = false;
    return true;
  }

  async #write(writes: readonly ObservationWrite[]): Promise<WriteResult> {
    const stations = new Set<number>();
    for (const { batch } of writes) {
      for (const station of batch.stations) stations.add(station);
      if ([...batch.values.keys()].some(isDaily))
        for (const station of batch.stations) stations.add(dailySeriesOf(station));
    }
    const blocks = blocksOf(stations);
    this.#forgetIfBroken();
    try {
      const computed = this.#locksFirst(writes)
        ? undefined
        : await this.#database.withConnection((query) => this.#compute(query, writes, stations, blocks));
      const { result, runs, open } = await this.#database.pipelined((query) =>
        this.#writeAll(query, writes, stations, blocks, computed),
      );
      // If a connection broke during the write, the next connection may reach another server, which lacks this commit. That
      // server may give the ids of these runs (packed rows of one commit each) to other runs. The runs are therefore cached only
      // if no connection broke.
      if (!this.#mustForget) for (const { block, run } of runs) this.#runs.set(block, run.id, run);
      this.#onLoad(open.values());
      return result;
    } catch (error) {
      this.#states.forget(blocks);
      throw error;
    }
  }

  /**
   * Whether a write locks its blocks before it computes its rows. Otherwise it computes them before, so that another instance that
   * writes other stations of the same blocks need not wait.
   */
  #locksFirst(writes: readonly ObservationWrite[]): boolean {
    if (this.#turnsWithLock > 0) {
      this.#turnsWithLock -= 1;
      return true;
    }
    // With records, only the transaction knows which writes are outdated.
    if (writes.some(({ records = [] }) => records.length > 0)) return true;
    return writes.reduce((rows, { batch }) => rows + batch.times.length, 0) < MIN_ROWS;
  }

  async #compute(
    query: Query,
    writes: readonly ObservationWrite[],
    stations: ReadonlySet<number>,
    blocks: readonly number[],
  ): Promise<ComputedWrite> {
    const [rules, open] = await together([
      runOver(query, this.#rules.read()),
      openBlocks(query, blocks, this.#runs),
    ]);
    return await ComputedWrite.compute(query, writes, stations, this.#states, rules, open);
  }

  async #writeAll(
    query: Query,
    writes: readonly ObservationWrite[],
    stations: ReadonlySet<number>,
    blocks: readonly number[],
    computed: ComputedWrite | undefined,
  ) {
    // If a connection broke after the rows were computed, this server may lack runs (packed rows of one commit each) from which they
    // were computed, or have other runs with their ids.
    const isOfFormerServer = this.#forgetIfBroken();
    const imports = writes.flatMap(({ importNumber }) => importNumber ?? []);
    // The transaction locks first its imports, then its blocks (groups of 64 stations), and then its records. The undo of an import
    // locks in the same order, so that the two transactions cannot deadlock.
    const [, , rules, open] = await together([
      imports.length > 0 &&
        query('SELECT FROM weatherd.file_import WHERE number = ANY($1) ORDER BY number FOR UPDATE', [
          imports,
        ]),
      lockForWriting(query, blocks),
      runOver(query, this.#rules.read()),
      openBlocks(query, blocks, this.#runs),
    ]);
    const isOutdated = await runOver(query, lockRecords(writes.map(({ records = [] }) => records)));
    const accepted = writes.filter((_write, index) => isOutdated[index] === false);
    let write = isOfFormerServer ? undefined : computed;
    if (write?.moveTo(stations, rules, open) !== true) {
      if (write !== undefined) {
        this.#states.forget(blocks);
        this.#turnsWithLock = TURNS_WITH_LOCK;
      }
      write = await ComputedWrite.compute(query, accepted, stations, this.#states, rules, open);
    }
    const { result, runs } = write.finish();
    for (const entry of write.journal) await runOver(query, addToJournal(...entry));
    await write.dailyAggregates.write(query);
    const records = accepted.flatMap((one) => one.records ?? []);
    await runOver(query, writeRecords(records));
    if (records.length + imports.length > 0) await commitTogether(query);
    const { outcomes, changes } = result;
    let next = 0;
    const all = isOutdated.map((one) => (one ? OUTDATED : (outcomes[next++] as WriteOutcome)));
    return { result: { result: { outcomes: all, changes }, runs, open }, sent: sendRuns(query, runs) };
  }
}
