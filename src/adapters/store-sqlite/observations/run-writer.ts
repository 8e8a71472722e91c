import type { ObservationWrite, WriteResult } from '../../../application/ports/observation-store.js';
import { changedCells } from '../../../domain/weather/undo/cell-changes.js';
import { ChangedRows } from '../../../domain/weather/changed-rows.js';
import { pickRows, writeSeries } from '../../../domain/weather/merge-series.js';
import { judgeBetween } from '../../../domain/weather/quality/judge-between.js';
import {
  type JudgedColumns,
  NO_RULES,
  STEP_REACH,
  type StationRules,
} from '../../../domain/weather/quality-control.js';
import {
  clusterRows,
  joined,
  orderRows,
  partOf,
  type RowOrder,
  type StationRows,
} from '../../../domain/weather/row-order.js';
import { type ObservationBatch, type Series, sliceSeries } from '../../../domain/weather/series.js';
import { type JournalPart, journalPart } from '../../formats/packed/journal-codec.js';
import { encodeRun, Run } from '../../formats/packed/run-codec.js';
import type { ImportJournal } from '../imports/import-journal.js';
import { judgeNew } from './judge-new.js';
import type { ObservationReader } from './observation-reader.js';
import { assemble, type Piece, slicePart, sortedColumns, Tally } from './run-assembly.js';
import type { CachedState, Runs, StationStates } from './station-states.js';

/** Number of steps after which the clock is read. */
const STRIDE = 32;

type Rules = ReadonlyMap<number, StationRules>;

/** Inserts a run and returns its id. */
export type InsertRun = (
  rows: number,
  range: { readonly first: number; readonly last: number },
  blob: Buffer,
) => number;

/** The pieces of the next run, and the data of the current transaction. */
interface Commit {
  readonly runs: Runs;
  readonly rules: Rules;
  readonly pieces: Piece[];
  /** Those of the pieces. */
  readonly states: CachedState[];
  /** What the pieces change, if they belong to an import. */
  readonly journal: JournalPart[];
}

/**
 * Stores the rows of some writes, usually as one run. Many late rows take long and become several runs, each in its own
 * transaction. Most rows are newer than the stored ones. Late rows are merged with the stored rows around them.
 */
export class RunWriter {
  readonly #reader: ObservationReader;
  readonly #states: StationStates;
  readonly #journal: ImportJournal;
  readonly #insert: InsertRun;
  readonly #steps: Iterator<void>;
  readonly #tallies: Tally[] = [];
  readonly #changed = new ChangedRows();
  #commit: Commit | undefined;
  /** Number of the import that writes the current rows. */
  #importNumber: number | undefined;

  constructor(
    writes: readonly ObservationWrite[],
    reader: ObservationReader,
    states: StationStates,
    journal: ImportJournal,
    insert: InsertRun,
  ) {
    this.#reader = reader;
    this.#states = states;
    this.#journal = journal;
    this.#insert = insert;
    this.#steps = this.#all(writes);
  }

  /** The outcomes of each write. Complete when `run` has returned true. */
  get result(): WriteResult {
    const outcomes = this.#tallies.flatMap((tally) => tally.outcomes);
    return { outcomes, changes: this.#changed.changes };
  }

  /**
   * Starts or continues writing within the caller's transaction.
   *
   * @param runs the unmerged runs; the new run is added to them
   * @param rules the rules of all stations that exist
   * @param until the time, as `performance.now` returns it, at which it stops
   * @returns whether all rows have been written
   */
  run(runs: Runs, rules: Rules, until: number): boolean {
    this.#commit = { runs, rules, pieces: [], states: [], journal: [] };
    let isDone = false;
    for (let step = 1; !isDone; step += 1) {
      isDone = this.#steps.next().done === true;
      if (!isDone && step % STRIDE === 0 && performance.now() > until) break;
    }
    this.#finish();
    return isDone;
  }

  /** Yields where the transaction may end. */
  *#all(writes: readonly ObservationWrite[]): Generator<void> {
    const batch = joined(writes.map((write) => write.batch));
    const order = orderRows(batch);
    // If two writes contain the same row, they are written one after the other, so that each has its own outcome. So are
    // those of several imports, so that each has its own journal.
    const isOfOne = writes.every(({ importNumber }) => importNumber === writes[0]?.importNumber);
    const isOne = writes.length === 1 || (isOfOne && order.groups.every(({ distinct }) => distinct));
    if (isOne) return yield* this.#rows(writes, batch, order);
    for (const write of writes) {
      yield* this.#rows([write], write.batch, orderRows(write.batch));
      // The next write must see these rows.
      this.#finish();
    }
  }

  *#rows(writes: readonly ObservationWrite[], batch: ObservationBatch, order: RowOrder): Generator<void> {
    const tally = new Tally(writes, order);
    this.#tallies.push(tally);
    this.#importNumber = writes[0]?.importNumber;
    const columns = sortedColumns(batch, order);
    for (const group of order.groups) {
      const { station } = group;
      const { rules, runs } = this.#current;
      const own = rules.get(station);
      if (own === undefined) {
        tally.unknown(group);
        continue;
      }
      const cached = this.#states.of(station, runs);
      if (group.distinct && judgeNew(columns, group, cached, own, runs.all)) {
        this.#addNew(cached, group, columns, tally);
      } else {
        const part = group.distinct ? slicePart(columns, group) : partOf(batch, order, group);
        tally.folded(group, part.folded);
        // Only late rows take long, so the transaction may end only among them.
        yield* this.#late(group, part.series, columns, tally);
      }
    }
  }

  /**
   * Judges late rows among the stored rows, and merges those whose times are stored. Clusters that are far apart in time
   * are handled separately.
   *
   * @param series the rows of the group @param columns the sorted batch
   */
  *#late(group: StationRows, series: Series, columns: JudgedColumns, tally: Tally): Generator<void> {
    const { station, distinct } = group;
    for (const [first, behind] of clusterRows(series.times, STEP_REACH)) {
      // Read in every round, because a new transaction may have begun at the last `yield`.
      const { rules, runs } = this.#current;
      const cached = this.#states.of(station, runs);
      const start = (series.times[first] as number) - STEP_REACH;
      const end = (series.times[behind - 1] as number) + 1;
      const base = this.#reader.recent(station, start, end, runs.all, cached.chunksEnd);
      const own = rules.get(station) ?? NO_RULES;
      const place = { ...group, from: group.from + first, to: group.from + behind };
      if (distinct && judgeBetween(columns, place.from, place.to, base, own)) {
        this.#addNew(cached, place, columns, tally);
        yield;
        continue;
      }
      const added = sliceSeries(series, first, behind);
      const merged = writeSeries(base, { series: added, folded: 0 }, own);
      tally.merged(group, first, merged);
      if (this.#importNumber !== undefined) this.#note(journalPart(station, changedCells(base, added)));
      const changed = pickRows(merged.series, merged.touched);
      cached.state.advance(changed);
      this.#add(cached, {
        station,
        columns: changed,
        from: 0,
        to: changed.times.length,
        inserted: merged.inserted,
      });
      yield;
    }
  }

  /** Adds rows of the batch whose times are not stored. */
  #addNew(cached: CachedState, group: StationRows, columns: JudgedColumns, tally: Tally): void {
    const { station, from, to } = group;
    cached.state.advanceRows(columns, from, to);
    this.#add(cached, { station, columns, from, to, inserted: to - from });
    this.#note({ station, after: columns, before: undefined, from, to });
    tally.inserted(group);
  }

  #note(part: JournalPart): void {
    if (this.#importNumber !== undefined && part.from < part.to) this.#current.journal.push(part);
  }

  #add(cached: CachedState, piece: Piece): void {
    const { pieces, states } = this.#current;
    if (piece.from === piece.to) return;
    pieces.push(piece);
    states.push(cached);
    cached.rows += piece.inserted;
    cached.first = Math.min(cached.first, piece.columns.times[piece.from] as number);
  }

  /** Writes the pieces as a run. */
  #finish(): void {
    const { pieces, states, runs, rules, journal } = this.#current;
    if (pieces.length === 0) return;
    if (this.#importNumber !== undefined && journal.length > 0)
      this.#journal.add(this.#importNumber, journal);
    const { places, columns } = assemble(pieces);
    const blob = encodeRun(places, columns);
    const id = this.#insert(columns.times.length, rangeOf(columns.times), blob);
    const run = new Run(id, blob, true);
    this.#reader.remember(run);
    runs.all.push(run);
    runs.last = id;
    for (const cached of states) cached.seen = cached.revision = id;
    for (const { station, columns: piece, from, to } of pieces)
      this.#changed.add(station, piece.times[from] as number, piece.times[to - 1] as number, id);
    this.#commit = { runs, rules, pieces: [], states: [], journal: [] };
  }

  get #current(): Commit {
    if (this.#commit === undefined) throw new Error('no commit has begun');
    return this.#commit;
  }
}

function rangeOf(times: Float64Array): { first: number; last: number } {
  let [first, last] = [Infinity, -Infinity];
  for (const time of times) {
    first = Math.min(first, time);
    last = Math.max(last, time);
  }
  return { first, last };
}
