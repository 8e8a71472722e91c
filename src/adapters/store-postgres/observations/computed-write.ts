import type { ObservationWrite, WriteResult } from '#application/ports/observation-store.js';
import type { JournalPart } from '#adapters/formats/packed/journal-codec.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import type { Rules } from '#adapters/packed-store/run-commit.js';
import { RunWriter } from '#adapters/packed-store/run-writer.js';
import type { RunTable } from '#adapters/packed-store/write-target.js';
import type { NewRun } from '#adapters/store/observations/tables.js';
import { FetchedChunks } from '../chunks/fetched-chunks.js';
import { AggregateDrops } from '../daily-aggregates/aggregate-drops.js';
import type { Query } from '../database/query.js';
import type { BlockStates } from './block-states.js';
import { blockOf, byBlocks, type OpenBlock } from './blocks.js';

/**
 * A write of late rows merges them with stored rows, which needs computing time. After this time in milliseconds, the write
 * pauses for other callbacks of the process.
 */
const SLICE = 50;

type OpenBlocks = ReadonlyMap<number, OpenBlock>;

/** The rows of some writes after quality control, and the runs (packed rows of one commit for a block of 64 stations). */
export class ComputedWrite {
  readonly dailyAggregates: AggregateDrops;
  /** The changes of values that imports make, by number of the import. */
  readonly journal: (readonly [importNumber: number, parts: readonly JournalPart[]])[] = [];
  readonly #chunks = new FetchedChunks();
  readonly #table = new NewRuns();
  readonly #writer: RunWriter;
  readonly #rules: Rules;
  #open: OpenBlocks;

  private constructor(
    writes: readonly ObservationWrite[],
    states: BlockStates,
    rules: Rules,
    open: OpenBlocks,
  ) {
    this.#rules = rules;
    this.#open = open;
    this.dailyAggregates = new AggregateDrops(open);
    this.#writer = new RunWriter(writes, {
      states,
      stored: this.#chunks,
      runs: this.#table,
      journals: { add: (...entry) => this.journal.push(entry) },
      dailyAggregates: this.dailyAggregates,
    });
    this.#writer.begin({ of: (station) => this.#open.get(blockOf(station)) as OpenBlock }, rules);
  }

  /**
   * Checks the rows of writes, and merges late rows with stored rows.
   *
   * @param stations the series of all rows
   * @param states caches the states of the stations. Afterwards they include the rows of the writes
   * @param open the blocks of the stations
   */
  static async compute(
    query: Query,
    writes: readonly ObservationWrite[],
    stations: ReadonlySet<number>,
    states: BlockStates,
    rules: Rules,
    open: OpenBlocks,
  ): Promise<ComputedWrite> {
    await states.fetch(query, stations, open);
    const computed = new ComputedWrite(writes, states, rules, open);
    if (writes.length > 0) await computed.#compute(query);
    return computed;
  }

  async #compute(query: Query): Promise<void> {
    while (!this.#writer.advance(performance.now() + SLICE)) {
      if (this.#writer.isWaiting) await this.#chunks.fetchAhead(query, this.#writer.ahead());
      else await new Promise(setImmediate);
    }
  }

  /**
   * Takes over the blocks as they are now, if they have no changes that concern the written stations since this write was computed.
   *
   * @param stations the series of all rows
   * @returns false if the write must be computed again
   */
  moveTo(stations: ReadonlySet<number>, rules: Rules, open: OpenBlocks): boolean {
    // Writes with the same row twice have several runs in a block, which were packed with the ids that were next at that time.
    if (rules !== this.#rules || !this.#table.isEmpty) return false;
    for (const own of byBlocks(stations, 1)) {
      const block = blockOf(own[0] as number);
      if (!isSameFor(own, this.#open.get(block) as OpenBlock, open.get(block) as OpenBlock)) return false;
    }
    this.#open = open;
    return true;
  }

  /** Packs the rows as runs. The caller has locked the blocks. */
  finish(): { readonly result: WriteResult; readonly runs: readonly NewRun[] } {
    this.#writer.finish();
    return { result: this.#writer.result, runs: this.#table.take(this.#chunks.runs) };
  }
}

/** Whether stations of a block have the same rows in `now` as in `before`, which was read earlier. */
function isSameFor(stations: readonly number[], before: OpenBlock, now: OpenBlock): boolean {
  if (now.damage.length !== before.damage.length || now.damagedRuns !== before.damagedRuns) return false;
  if (now.tablesEnd !== before.tablesEnd) return false;
  if (now.last === before.last) return true;
  // A direct change of stored rows takes an id without a run, and so does a run that was merged in the meantime.
  const added = now.all.filter(({ id }) => id > before.last);
  return (
    added.length === now.last - before.last &&
    added.every((run) => !stations.some((one) => run.place(one) !== undefined))
  );
}

/** Collects the runs (packed rows of one commit) that a transaction will insert. */
class NewRuns implements RunTable {
  readonly #inserted: Omit<NewRun, 'run'>[] = [];

  get isEmpty(): boolean {
    return this.#inserted.length === 0;
  }

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
