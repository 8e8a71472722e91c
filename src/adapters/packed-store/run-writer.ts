import type { ObservationWrite, WriteResult } from '#application/ports/observation-store.js';
import { changedCells } from '#domain/weather/undo/cell-changes.js';
import { ChangedRows } from '#domain/weather/changed-rows.js';
import { pickRows, ROW_OUTCOME, writeSeries } from '#domain/weather/merge-series.js';
import { checkBetween } from '#domain/weather/quality/check-between.js';
import { type CheckedColumns, STEP_REACH } from '#domain/weather/quality-control.js';
import { NO_RULES } from '#domain/weather/quality/station-rules.js';
import {
  clusterRows,
  joinColumns,
  orderRows,
  partOf,
  type RowOrder,
  type StationRows,
} from '#domain/weather/row-order.js';
import { type ObservationBatch, type Series, sliceSeries } from '#domain/weather/series.js';
import { journalPart } from '#adapters/formats/packed/journal-codec.js';
import { areAppended, checkNewRows } from './check-new-rows.js';
import { stationOf } from './days/daily-series.js';
import { divideBatch, type Twins } from './days/divided-rows.js';
import { TwinOutcomes } from './days/twin-outcomes.js';
import { UnexpiredWrites } from './removal/unexpired-writes.js';
import { affectedRange } from './late-reach.js';
import { slicePart, sortedColumns, Tally } from './run-assembly.js';
import { type Rules, RunCommit, type StatePiece } from './run-commit.js';
import type { CachedState } from './station-states.js';
import type { RunsOfStations, StationSpan, WriteTarget } from './write-target.js';

/** Number of steps of the writer between two reads of the clock. */
const STRIDE = 32;

/** The rows that are written, and the current position. The rows of one station are a group. */
interface Progress {
  readonly order: RowOrder;
  /** The sorted batch. */
  readonly columns: CheckedColumns;
  readonly tally: Tally;
  /** Index of the current group. */
  group: number;
  /** Rows of the current group before this time are already written. */
  doneTo: number;
}

/** A write whose rows are divided between the two series of their stations; see `daily-series.ts`. */
interface DividedWrite extends ObservationWrite {
  readonly twins: Twins | undefined;
}

function divideWrite(write: ObservationWrite): DividedWrite {
  return { ...write, ...divideBatch(write.batch) };
}

/**
 * Stores the rows of some writes. Usually they become one run (a packed piece with rows of many stations) for each block of
 * stations.
 *
 * Most rows are newer than the stored rows of their station. The other rows are late, and are merged with the stored rows around
 * them. Many late rows take long, so they may become several runs, each of which is written in its own transaction.
 */
export class RunWriter {
  readonly #target: WriteTarget;
  readonly #steps: Iterator<void>;
  readonly #tallies: Tally[] = [];
  readonly #changed = new ChangedRows();
  #unexpired: UnexpiredWrites | undefined;
  #commit: RunCommit | undefined;
  #progress: Progress | undefined;
  #isWaiting = false;
  /** The outcomes of the current rows that have values of both series of their station. Undefined if there are no such rows. */
  #twins: TwinOutcomes | undefined;
  /** Number of the import to which the current rows belong. */
  #importNumber: number | undefined;

  constructor(writes: readonly ObservationWrite[], target: WriteTarget) {
    this.#target = target;
    this.#steps = this.#all(writes);
  }

  /**
   * The number of inserted, updated and unchanged rows of each write, and the changed rows. The numbers are complete after `run`
   * has returned true.
   */
  get result(): WriteResult {
    const outcomes = this.#tallies.flatMap((tally) => tally.outcomes);
    this.#unexpired?.count(outcomes);
    return { outcomes, changes: this.#changed.changes };
  }

  /**
   * Starts or continues writing within the transaction of the caller, and inserts the runs.
   *
   * @param rules the rules of quality control of all existing stations, by number of the station
   * @param until time of `performance.now` at which writing stops
   * @returns whether all rows have been written
   */
  run(runs: RunsOfStations, rules: Rules, until: number): boolean {
    this.begin(runs, rules);
    const isDone = this.advance(until);
    this.finish();
    return isDone;
  }

  /**
   * Prepares writing within a new transaction of the caller.
   *
   * @param rules the rules of quality control of all existing stations, by number of the station
   */
  begin(runs: RunsOfStations, rules: Rules): void {
    this.#commit = new RunCommit(runs, rules);
  }

  /**
   * Writes until all rows are written, the time is over, or stored rows must be read first; see `isWaiting`.
   *
   * @param until time of `performance.now` at which writing stops
   * @returns whether all rows have been written
   */
  advance(until: number): boolean {
    this.#isWaiting = false;
    for (let step = 1; ; step += 1) {
      if (this.#steps.next().done === true) return true;
      if (this.#isWaiting || (step % STRIDE === 0 && performance.now() > until)) return false;
    }
  }

  /** Whether `advance` has stopped because it needs stored rows that have not been read yet. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /**
   * The ranges of stored rows that must be read before the next late rows are written, in the order of their use. Rows are late
   * if they are not newer than the stored rows of their station. Ranges whose rows are all in runs (rows of single commits) are
   * left out, because only chunks (rows of whole days) must be read in advance.
   */
  *ahead(): Generator<StationSpan> {
    if (this.#progress === undefined) return;
    const { order, columns, group, doneTo } = this.#progress;
    const { rules, runs } = this.#current;
    for (let index = group; index < order.groups.length; index += 1) {
      const { station, from, to, distinct } = order.groups[index] as StationRows;
      if (!rules.has(station)) continue;
      const { state, chunksEnd } = this.#target.states.of(station, runs.of(station));
      if (distinct && areAppended(columns, columns.times[from] as number, state)) continue;
      const own = columns.times.subarray(from, to);
      for (const [first, behind] of clusterRows(own, STEP_REACH)) {
        const span = affectedRange(own, first, behind);
        if (index === group && (own[first] as number) < doneTo) continue;
        if (span.from <= chunksEnd) yield { station, ...span };
      }
    }
  }

  /** Writes all rows. The generator yields at the points at which the transaction may end. */
  *#all(sent: readonly ObservationWrite[]): Generator<void> {
    this.#unexpired = new UnexpiredWrites(sent, this.#current.rules);
    const writes = this.#unexpired.writes.map(divideWrite);
    const batch = joinColumns(writes.map((write) => write.batch));
    const order = orderRows(batch);
    // The writes are stored together, except in two cases, in which they are stored one after the other:
    // - Two rows have the same station and time. Each of them must be counted for its own write.
    // - The writes belong to different imports. The changes of each import are recorded separately, so that it can be undone.
    const isOfOne = writes.every(({ importNumber }) => importNumber === writes[0]?.importNumber);
    const isOne = writes.length === 1 || (isOfOne && order.groups.every(({ distinct }) => distinct));
    if (isOne) return yield* this.#rows(writes, batch, order);
    for (const write of writes) {
      yield* this.#rows([write], write.batch, orderRows(write.batch));
      // The next write may contain the same rows. It must see them as stored rows, so the current rows are written first.
      this.finish();
    }
  }

  *#rows(writes: readonly DividedWrite[], batch: ObservationBatch, order: RowOrder): Generator<void> {
    const tally = new Tally(writes, order);
    this.#tallies.push(tally);
    const isDivided = writes.some(({ twins }) => twins !== undefined);
    this.#twins = isDivided ? new TwinOutcomes(writes.map(({ twins }) => twins)) : undefined;
    this.#importNumber = writes[0]?.importNumber;
    const columns = sortedColumns(batch, order);
    const progress = { order, columns, tally, group: 0, doneTo: -Infinity };
    this.#progress = progress;
    // The loop creates no object for a station, because a commit may have thousands of stations with one row each.
    for (let index = 0; index < order.groups.length; index += 1) {
      const group = order.groups[index] as StationRows;
      progress.group = index;
      progress.doneTo = -Infinity;
      const { station } = group;
      const { rules, runs } = this.#current;
      const own = rules.get(station);
      if (own === undefined) {
        tally.unknown(group);
        continue;
      }
      const cached = this.#stateOf(station);
      if (group.distinct && checkNewRows(columns, group, cached, own, runs.of(station).all)) {
        this.#addNew(cached, group, progress);
      } else {
        const part = group.distinct ? slicePart(columns, group) : partOf(batch, order, group);
        tally.folded(group, part.folded);
        // Only late rows, which are not newer than the stored rows of their station, take long. Only `#late` therefore has points
        // at which the transaction may end.
        yield* this.#late(group, part.series, progress);
      }
    }
    this.#twins?.settle(tally.outcomes);
  }

  /**
   * Checks the quality of late rows together with the stored rows around them. Rows are late if they are not newer than the
   * stored rows of their station. If the time of a row is already stored, the two rows are merged. Clusters of rows that are far
   * apart in time are handled separately.
   *
   * @param series the rows of the group
   */
  *#late(group: StationRows, series: Series, progress: Progress): Generator<void> {
    const { station, distinct } = group;
    const { columns, tally } = progress;
    for (const [first, behind] of clusterRows(series.times, STEP_REACH)) {
      const { from, to } = affectedRange(series.times, first, behind);
      while (!this.#target.stored.has(station, from, to, this.#stateOf(station).chunksEnd)) {
        this.#isWaiting = true;
        yield;
      }
      // The rules of quality control and the list of runs (rows of single commits) are read again for each cluster of rows,
      // because a new transaction may have begun at the last `yield`.
      const { rules, runs } = this.#current;
      const cached = this.#stateOf(station);
      const base = this.#target.stored.recent(station, from, to, runs.of(station).all, cached.chunksEnd);
      const own = rules.get(station) ?? NO_RULES;
      const place = { ...group, from: group.from + first, to: group.from + behind };
      progress.doneTo = to;
      if (distinct && checkBetween(columns, place.from, place.to, base, own)) {
        this.#addNew(cached, place, progress);
        yield;
        continue;
      }
      const added = sliceSeries(series, first, behind);
      const merged = writeSeries(base, { series: added, folded: 0 }, own);
      tally.merged(group, first, merged);
      this.#twins?.note(station, added.times, (row) => merged.rowOutcomes[row] as number);
      if (this.#importNumber !== undefined)
        this.#current.note(journalPart(station, changedCells(base, added)));
      const changed = pickRows(merged.series, merged.touched);
      cached.state.advance(changed);
      const { inserted } = merged;
      this.#add({ station, cached, columns: changed, from: 0, to: changed.times.length, inserted });
      yield;
    }
  }

  /** Adds new rows of one station. Their times are not stored yet. */
  #addNew(cached: CachedState, group: StationRows, { columns, tally }: Progress): void {
    const { station, from, to } = group;
    cached.state.advanceRows(columns, from, to);
    this.#add({ station, cached, columns, from, to, inserted: to - from });
    if (this.#importNumber !== undefined)
      this.#current.note({ station, after: columns, before: undefined, from, to });
    tally.inserted(group);
    this.#twins?.note(station, columns.times.subarray(from, to), () => ROW_OUTCOME.inserted);
  }

  /**
   * Adds rows of a station, and drops the daily aggregates (stored sums of days) that contain these rows, because these
   * aggregates become wrong. The rows of a station may be added by several calls in several transactions. Each call drops the
   * aggregates, because another process may have stored them again after the last transaction.
   */
  #add(piece: StatePiece): void {
    const { station, columns, from, to } = piece;
    if (from === to) return;
    this.#target.dailyAggregates.drop(
      stationOf(station),
      columns.times[from] as number,
      columns.times[to - 1] as number,
    );
    this.#current.add(piece);
  }

  /** Writes the rows that were added since the last call, as one run for each block of stations. */
  finish(): void {
    const { runs, rules } = this.#current;
    this.#current.write(this.#target, this.#importNumber, this.#changed);
    this.begin(runs, rules);
  }

  #stateOf(station: number): CachedState {
    return this.#target.states.of(station, this.#current.runs.of(station));
  }

  get #current(): RunCommit {
    if (this.#commit === undefined) throw new Error('no commit has begun');
    return this.#commit;
  }
}
