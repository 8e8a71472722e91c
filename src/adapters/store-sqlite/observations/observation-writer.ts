import type { Database } from 'better-sqlite3';
import type {
  EraseRange,
  EraseStep,
  ObservationWrite,
  UndoStep,
  WriteResult,
} from '#application/ports/observation-store.js';
import { isDomainError } from '#domain/domain-error.js';
import type { ObservationBatch, Series } from '#domain/weather/series.js';
import { discardedColumns } from '#adapters/formats/garbage.js';
import type { MergePosition } from '#adapters/packed-store/merge-schedule.js';
import { oldestRequests } from '#adapters/store/recheck/recheck-operations.js';
import type { StoredRequest } from '#application/ports/recheck-store.js';
import type { ObservationChanges } from '#domain/weather/changed-rows.js';
import { addToJournal } from '#adapters/store/imports/journal-entries.js';
import { discardDamaged, type DiscardRequest } from '#adapters/store/observations/discard.js';
import { eraseStep } from '#adapters/store/observations/erase.js';
import {
  moveDailyValues,
  type MovePosition,
  type MoveStep,
} from '#adapters/store/observations/move-daily-values.js';
import { requestWritten, storeRechecked } from '#adapters/store/observations/recheck-rows.js';
import { KnownRules } from '#adapters/store/stations/known-rules.js';
import type { ObservationOperation } from '#adapters/store/observations/tables.js';
import { undoStep } from '#adapters/store/observations/undo.js';
import { RunWriter } from '#adapters/packed-store/run-writer.js';
import { StationStates } from '#adapters/packed-store/station-states.js';
import type { Rules } from '#adapters/packed-store/run-commit.js';
import type { WriteTarget } from '#adapters/packed-store/write-target.js';
import type { Damage } from '#adapters/packed-store/damage.js';
import { Quarantine } from '../damage/quarantine.js';
import { runOn, runWith } from '../database/statements.js';
import { load } from '../levels/run-levels.js';
import { MergeDebt } from '../levels/merge-debt.js';
import { appendRun } from '../transfer/append-run.js';
import { ChunkWriter } from './chunk-writer.js';
import {
  dailyAggregateOperations,
  DailyAggregateTables,
} from '../daily-aggregates/daily-aggregate-operations.js';
import { NewestTable } from './newest-table.js';
import { ObservationReader } from './observation-reader.js';
import { SqliteObservationTables } from './observation-tables.js';
import { PendingWrite } from './pending-write.js';
import { type MergeReach, RunMerger } from './run-merger.js';
import { runTable } from './run-table.js';

/**
 * Maximum number of unfinished writes. If there are more, the write that was not continued for the longest time is dropped. Its
 * caller probably no longer waits, because a caller that waits continues its write again and again.
 */
const MAX_UNFINISHED = 64;
export interface WriteProgress {
  /** Undefined while the write is not finished. The caller then calls `continueWrite` with `number`. */
  readonly result: WriteResult | undefined;
  /** True if the rows belong to an import that has already ended, or that is being undone. Nothing was written then. */
  readonly isClosed?: true;
  readonly number: number;
  /**
   * Whether a merge is due, because many runs are waiting. A run is a blob with rows of one commit, and a merge moves its rows
   * into larger blobs.
   */
  readonly due: boolean;
}

/** Writes observations, in the thread that owns the data file. Each call has its own transaction. */
export class ObservationWriter {
  readonly #database: Database;
  readonly #writeSlice: number;
  readonly #reader: ObservationReader;
  readonly #states: StationStates;
  readonly #merger: RunMerger;
  readonly #quarantine: Quarantine;
  readonly #dailyAggregates: DailyAggregateTables;
  readonly #target: WriteTarget;
  readonly #tables: SqliteObservationTables;
  readonly #rules: () => Rules;
  /** Unfinished writes, by their numbers. */
  readonly #unfinished = new Map<number, PendingWrite>();
  #count = 0;
  readonly #debt = new MergeDebt();

  /** @param writeSlice milliseconds after which a write of many late rows commits its finished rows */
  constructor(database: Database, writeSlice: number) {
    this.#database = database;
    this.#writeSlice = writeSlice;
    this.#reader = new ObservationReader(database, (damage) => this.#quarantine.add(damage));
    this.#quarantine = new Quarantine(database, this.#reader.lists);
    this.#states = new StationStates(new NewestTable(database));
    const chunks = new ChunkWriter(database, this.#reader);
    this.#merger = new RunMerger(database, this.#reader, this.#states, this.#quarantine, chunks);
    this.#dailyAggregates = new DailyAggregateTables(database);
    this.#target = {
      states: this.#states,
      stored: this.#reader,
      runs: runTable(database),
      journals: { add: (...entry) => runOn(database, addToJournal(...entry)) },
      dailyAggregates: this.#dailyAggregates,
    };
    const rules = new KnownRules();
    this.#rules = () => runOn(database, rules.read());
    this.#tables = new SqliteObservationTables(database, {
      reader: this.#reader,
      states: this.#states,
      chunks,
      dailyAggregates: this.#dailyAggregates,
      quarantine: this.#quarantine,
      runs: this.#target.runs,
      rules: this.#rules,
      mergeAll: () => {
        while (this.#merger.merge(Infinity, 'all') || this.#hasRuns);
      },
    });
  }

  get dailyAggregateOperations() {
    return dailyAggregateOperations(this.#database, this.#reader, this.#states);
  }

  write(writes: readonly ObservationWrite[]): WriteProgress {
    this.#count += 1;
    const written = this.#continue(
      this.#count,
      () => new PendingWrite(this.#database, writes, (accepted) => new RunWriter(accepted, this.#target)),
    );
    for (const { batch } of writes) discardedColumns(batch);
    return written;
  }

  /** Continues an unfinished write. */
  continue(number: number): WriteProgress {
    const pending = this.#unfinished.get(number);
    if (pending === undefined)
      throw new Error('the write was dropped before it was finished. Send the rows again');
    // The write is removed here and added again only if it is not finished. A write that fails is thus dropped.
    this.#unfinished.delete(number);
    return this.#continue(number, () => pending);
  }

  /**
   * Runs a part of a write, in a transaction.
   *
   * @param begin returns the write; called within the transaction
   */
  #continue(number: number, begin: () => PendingWrite): WriteProgress {
    this.#mergeIfBehind();
    const began = performance.now();
    try {
      const { pending, written } = this.#inTransaction(() => {
        const write = begin();
        const runs = this.#reader.snapshot();
        const isDone = write.run({ of: () => runs }, this.#rules(), performance.now() + this.#writeSlice);
        const result = isDone ? write.result : undefined;
        return { pending: write, written: { result, number, due: load(runs) >= 1 } };
      });
      if (written.result === undefined) this.#keep(number, pending);
      return written;
    } catch (error) {
      // `addToJournal` throws a domain error if the rows belong to an import that has ended. The error becomes a field, because a
      // domain error loses its class on the way to another thread.
      if (isDomainError(error)) return { result: undefined, isClosed: true, number, due: false };
      throw error;
    } finally {
      this.#debt.wrote(performance.now() - began);
    }
  }

  #keep(number: number, pending: PendingWrite): void {
    this.#unfinished.set(number, pending);
    const [oldest] = this.#unfinished.keys();
    if (oldest !== undefined && this.#unfinished.size > MAX_UNFINISHED) this.#unfinished.delete(oldest);
  }

  /** Calls `appendRun`, which stores the rows of a batch as one blob, in a separate transaction. */
  append(batch: ObservationBatch): { readonly isAdded: boolean; readonly due: boolean } {
    this.#mergeIfBehind();
    const began = performance.now();
    try {
      return this.#inTransaction(() => {
        const runs = this.#reader.snapshot();
        const isAdded = appendRun(batch, runs, this.#rules(), this.#states, this.#target.runs);
        return { isAdded, due: load(runs) >= 1 };
      });
    } finally {
      this.#debt.wrote(performance.now() - began);
    }
  }

  erase(ranges: readonly EraseRange[]): EraseStep {
    return this.#run(eraseStep(ranges));
  }

  undo(number: number): UndoStep {
    return this.#run(undoStep(number));
  }

  requests(limit: number, after: number, collects: boolean): readonly StoredRequest[] {
    if (collects) this.#run(requestWritten([]));
    return runOn(this.#database, oldestRequests(limit, after));
  }

  storeRechecked(station: number, revision: string, rows: Series): ObservationChanges | undefined {
    return this.#run(storeRechecked(station, revision, rows));
  }

  moveDailyValues(after: MovePosition | undefined): MoveStep {
    return this.#run(moveDailyValues(after));
  }

  /** Runs an operation in one transaction. */
  #run<T>(operation: ObservationOperation<T>): T {
    return this.#inTransaction(() => {
      this.#tables.begin(this.#writeSlice);
      return runWith(this.#database, this.#tables, operation);
    });
  }

  /** Calls `RunMerger.merge`, which moves rows from the blobs of single commits into larger blobs, in a separate transaction. */
  merge(duration: number, reach: MergeReach): MergePosition | undefined {
    const began = performance.now();
    try {
      const place = this.#inTransaction(() => this.#merger.merge(duration, reach));
      // The merge has deleted runs, which are blobs with rows of one commit each. This call drops them from the cache of the
      // reader.
      if (place === undefined) this.#reader.snapshot();
      return place;
    } finally {
      this.#debt.merged(performance.now() - began);
    }
  }

  /**
   * Merges (moves rows from runs into larger blobs) until these runs are gone:
   *
   * - all runs of commits, which are blobs with rows of one commit each
   * - the runs of the blocks that `reach` selects, which are blobs with new rows of 64 stations each
   */
  mergeAll(reach: MergeReach): void {
    while (this.merge(Infinity, reach) || this.#reader.snapshot().all.length > 0);
  }

  get #hasRuns(): boolean {
    return this.#reader.snapshot().all.length > 0 || this.#reader.blocks.all().length > 0;
  }

  putAside(damage: Damage): void {
    this.#inTransaction(() => this.#tables.putAside([damage]));
  }

  discard(found: DiscardRequest): void {
    this.#run(discardDamaged(found));
  }

  /** Merges before a write, that is, moves rows of earlier commits into larger blobs, if too many such rows are waiting. */
  #mergeIfBehind(): void {
    const duration = this.#debt.take(load(this.#reader.snapshot()));
    if (duration > 0) this.merge(duration, 'due');
  }

  #inTransaction<T>(work: () => T): T {
    try {
      return this.#database
        .transaction(() => {
          this.#dailyAggregates.begin();
          this.#reader.lists.forget();
          return work();
        })
        .immediate();
    } catch (error) {
      // The cached states of stations (such as their newest values) may include rows of the transaction that was rolled back.
      this.#merger.forget();
      this.#states.forget();
      throw error;
    }
  }
}
