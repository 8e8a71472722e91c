import type { ObservationWrite, WriteOutcome, WriteResult } from '#application/ports/observation-store.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { isDaily } from '#domain/weather/variables.js';
import type { JournalPart } from '#adapters/formats/packed/journal-codec.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import { addToJournal } from '#adapters/store/imports/journal-entries.js';
import { lockRecords, writeRecords } from '#adapters/store/records.js';
import { KnownRules } from '#adapters/store/stations/known-rules.js';
import type { NewRun } from '#adapters/store/observations/tables.js';
import { dailySeriesOf } from '#adapters/packed-store/days/daily-series.js';
import { RunWriter } from '#adapters/packed-store/run-writer.js';
import type { RunTable } from '#adapters/packed-store/write-target.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { FetchedChunks } from '../chunks/fetched-chunks.js';
import { commitTogether } from '../database/distribution.js';
import type { Query } from '../database/query.js';
import { runOver } from '../database/statements.js';
import { AggregateDrops } from '../daily-aggregates/aggregate-drops.js';
import { BlockStates } from './block-states.js';
import { blockOf, blocksOf, lockForWriting, type OpenBlock, openBlocks } from './blocks.js';
import { appendRuns } from './append-rows.js';
import { insertRuns } from './inserted-runs.js';
import type { RunCache } from './run-cache.js';

/**
 * A write of late rows merges them with stored rows, which needs computing time. After this time in milliseconds, the write
 * pauses for other callbacks of the process.
 */
const SLICE = 50;

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

  /** Clears the cached states of stations before the next write. The current write may still use these states. */
  clear(): void {
    this.#mustForget = true;
  }

  async #write(writes: readonly ObservationWrite[]): Promise<WriteResult> {
    const stations = new Set<number>();
    for (const { batch } of writes) {
      for (const station of batch.stations) stations.add(station);
      if ([...batch.values.keys()].some(isDaily))
        for (const station of batch.stations) stations.add(dailySeriesOf(station));
    }
    const blocks = blocksOf(stations);
    if (this.#mustForget) this.#states.clear();
    this.#mustForget = false;
    try {
      const { result, runs, open } = await this.#database.transaction((query) =>
        this.#writeAll(query, writes, stations, blocks),
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

  async #writeAll(
    query: Query,
    writes: readonly ObservationWrite[],
    stations: ReadonlySet<number>,
    blocks: readonly number[],
  ): Promise<{ result: WriteResult; runs: readonly NewRun[]; open: ReadonlyMap<number, OpenBlock> }> {
    const imports = writes.flatMap(({ importNumber }) => importNumber ?? []);
    // The transaction locks first its imports and then its blocks (groups of 64 stations). The undo of an import locks in the
    // same order, so that the two transactions cannot deadlock.
    if (imports.length > 0)
      await query('SELECT FROM weatherd.file_import WHERE number = ANY($1) ORDER BY number FOR UPDATE', [
        imports,
      ]);
    await lockForWriting(query, blocks);
    const isOutdated = await runOver(query, lockRecords(writes.map(({ records = [] }) => records)));
    const accepted = writes.filter((_write, index) => isOutdated[index] === false);
    const rules = await runOver(query, this.#rules.read());
    const open = await openBlocks(query, blocks, this.#runs);
    await this.#states.fetch(query, stations, open);

    const chunks = new FetchedChunks();
    const table = new NewRuns();
    const entries: (readonly [number: number, parts: readonly JournalPart[]])[] = [];
    const dailyAggregates = new AggregateDrops(open);
    const writer = new RunWriter(accepted, {
      states: this.#states,
      stored: chunks,
      runs: table,
      journals: { add: (...entry) => entries.push(entry) },
      dailyAggregates: dailyAggregates,
    });
    writer.begin({ of: (station) => open.get(blockOf(station)) as OpenBlock }, rules);
    while (accepted.length > 0 && !writer.advance(performance.now() + SLICE)) {
      if (writer.isWaiting) await chunks.fetchAhead(query, writer.ahead());
      else await new Promise(setImmediate);
    }
    writer.finish();
    const runs = table.take(chunks.runs);
    await insertRuns(query, runs);
    for (const entry of entries) await runOver(query, addToJournal(...entry));
    await dailyAggregates.write(query);
    const records = accepted.flatMap((one) => one.records ?? []);
    await runOver(query, writeRecords(records));
    if (records.length + imports.length > 0) await commitTogether(query);
    const { outcomes, changes } = writer.result;
    let next = 0;
    const all = isOutdated.map((one) => (one ? OUTDATED : (outcomes[next++] as WriteOutcome)));
    return { result: { outcomes: all, changes }, runs, open };
  }
}

/** Collects the runs (packed rows of one commit) that a transaction will insert. */
class NewRuns implements RunTable {
  readonly #inserted: Omit<NewRun, 'run'>[] = [];

  blockOf(station: number): number {
    return blockOf(station);
  }

  insert(
    block: number,
    _id: number,
    _rows: number,
    range: { readonly first: number; readonly last: number },
    data: Buffer,
  ): void {
    this.#inserted.push({ block, ...range, data });
  }

  /**
   * Returns the collected runs (packed rows of one commit each).
   *
   * @param opened the same runs in the same order, as objects whose rows can be read
   */
  take(opened: readonly Run[]): NewRun[] {
    return this.#inserted.map((inserted, index) => ({ ...inserted, run: opened[index] as Run }));
  }
}
