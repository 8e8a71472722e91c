import type { Database } from 'better-sqlite3';
import type {
  ObservationWrite,
  UndoStep,
  WriteResult,
} from '../../../application/ports/observation-store.js';
import { discardedColumns } from '../../formats/garbage.js';
import { dayOf } from '../../formats/packed/chunk-key.js';
import { type Damage, Quarantine } from '../damage/damage.js';
import { discardDamaged } from '../damage/discard-damaged.js';
import { fillTotals } from '../database/fill-totals.js';
import { ClosedImportError, ImportJournal } from '../imports/import-journal.js';
import { ImportUndo } from '../imports/import-undo.js';
import { ChunkWriter } from './chunk-writer.js';
import { dayTableOperations, DayTables } from '../day-tables/day-table-operations.js';
import { ObservationReader, type Snapshot } from './observation-reader.js';
import { uploadRecords } from '../uploads/upload-records.js';
import { PendingWrite } from './pending-write.js';
import { type MergePlace, RunMerger } from './run-merger.js';
import { RunWriter } from './run-writer.js';
import { stationRules } from './station-rules.js';
import { StationStates } from './station-states.js';

/** Runs are merged into chunks when their number, or the number of their rows, reaches this limit. */
const MAX_RUNS = 64;
const MAX_ROWS = 150_000;
/** Largest number of unfinished writes. Beyond it the oldest is dropped, because its caller no longer waits. */
const MAX_UNFINISHED = 64;
/** Longest time, in milliseconds, for which one part of a merge may delay other operations. */
const MERGE_SLICE = 50;
/**
 * Milliseconds after which a write of many late rows commits the rows that are done. Other operations run before it
 * continues. This is far below the time after which a call of the store fails without an answer.
 */
const WRITE_SLICE = 1000;

export interface Written {
  /** Undefined while the write is not finished. The caller then calls `continueWrite` with `number`. */
  readonly result: WriteResult | undefined;
  /** True if the import that writes is not open, so that nothing was written. */
  readonly isClosed?: true;
  readonly number: number;
  /** Whether the runs should be merged. */
  readonly due: boolean;
}

/**
 * The writing operations of `SqliteObservationStore`, in the thread that owns the data file. A write makes one blob and
 * one commit. Chunks are made later from many writes at once, because rewriting a chunk for every row would cost a
 * hundred times as much.
 *
 * @param writeSlice as `WRITE_SLICE`
 * @param mergeSlice as `MERGE_SLICE`
 */
export function observationOperations(
  database: Database,
  writeSlice = WRITE_SLICE,
  mergeSlice = MERGE_SLICE,
) {
  fillTotals(database);
  const writer = new ObservationWriter(database, writeSlice);
  return {
    ...writer.dayTableOperations,
    writeObservations: (writes: readonly ObservationWrite[]) => writer.write(writes),
    continueWrite: (number: number) => writer.continue(number),
    undoImport: (number: number) => writer.undo(number),
    /** Merges some stations. Returns the progress, or undefined if nothing is left. */
    mergeRuns: () => writer.merge(mergeSlice),
    mergeAllRuns: () => writer.mergeAll(),
    putAside: (damage: Damage) => writer.putAside(damage),
    discardDamaged: () => writer.discardDamaged(),
  };
}

class ObservationWriter {
  readonly #database: Database;
  readonly #writeSlice: number;
  readonly #reader: ObservationReader;
  readonly #states: StationStates;
  readonly #merger: RunMerger;
  readonly #quarantine: Quarantine;
  readonly #journal: ImportJournal;
  readonly #undo: ImportUndo;
  readonly #dayTables: DayTables;
  readonly #insertRun;
  readonly #rules;
  readonly #records;
  /** Unfinished writes by their number. */
  readonly #unfinished = new Map<number, PendingWrite>();
  #count = 0;
  /** Time that writes have taken since the last merge, in milliseconds. */
  #spent = 0;

  constructor(database: Database, writeSlice: number) {
    this.#database = database;
    this.#writeSlice = writeSlice;
    this.#quarantine = new Quarantine(database);
    this.#reader = new ObservationReader(database, (damage) => this.#quarantine.add(damage));
    this.#states = new StationStates(database);
    const chunks = new ChunkWriter(database);
    this.#merger = new RunMerger(database, this.#reader, this.#states, this.#quarantine, chunks);
    this.#journal = new ImportJournal(database);
    this.#dayTables = new DayTables(database);
    this.#undo = new ImportUndo(database, this.#journal, this.#reader, this.#states, chunks, this.#dayTables);
    this.#insertRun = database.prepare('INSERT INTO run (rows, first, last, data) VALUES (?, ?, ?, ?)');
    this.#rules = stationRules(database);
    this.#records = uploadRecords(database);
  }

  get dayTableOperations() {
    return dayTableOperations(this.#database, this.#reader, this.#states);
  }

  write(writes: readonly ObservationWrite[]): Written {
    this.#count += 1;
    const written = this.#continue(
      this.#count,
      () => new PendingWrite(writes, this.#records, (accepted) => this.#makeWriter(accepted)),
    );
    for (const { batch } of writes) discardedColumns(batch);
    return written;
  }

  /** Continues an unfinished write. */
  continue(number: number): Written {
    const pending = this.#unfinished.get(number);
    if (pending === undefined) throw new Error('this write has been given up');
    // Added again if the write is not finished. A write that fails is dropped.
    this.#unfinished.delete(number);
    return this.#continue(number, () => pending);
  }

  /** @param begin called in the transaction */
  #continue(number: number, begin: () => PendingWrite): Written {
    const began = performance.now();
    try {
      this.#catchUp();
      const { pending, written } = this.#inTransaction(() => {
        const write = begin();
        const runs = this.#reader.snapshot();
        const isDone = write.run(runs, this.#rules(), performance.now() + this.#writeSlice);
        const result = isDone ? write.result : undefined;
        return { pending: write, written: { result, number, due: load(runs) >= 1 } };
      });
      if (written.result === undefined) this.#keep(number, pending);
      return written;
    } catch (error) {
      if (error instanceof ClosedImportError)
        return { result: undefined, isClosed: true, number, due: false };
      throw error;
    } finally {
      this.#spent += performance.now() - began;
    }
  }

  #keep(number: number, pending: PendingWrite): void {
    this.#unfinished.set(number, pending);
    const [oldest] = this.#unfinished.keys();
    if (oldest !== undefined && this.#unfinished.size > MAX_UNFINISHED) this.#unfinished.delete(oldest);
  }

  #makeWriter(writes: readonly ObservationWrite[]): RunWriter {
    return new RunWriter(
      writes,
      this.#reader,
      this.#states,
      this.#journal,
      this.#dayTables,
      (rows, range, blob) => Number(this.#insertRun.run(rows, range.first, range.last, blob).lastInsertRowid),
    );
  }

  /** Merges all runs and calls `ImportUndo.run`, in one transaction. */
  undo(number: number): UndoStep {
    return this.#inTransaction(() => {
      while (this.#merger.merge(Infinity) || this.#reader.snapshot().all.length > 0);
      return this.#undo.run(number, this.#rules(), performance.now() + this.#writeSlice);
    });
  }

  /** Calls `RunMerger.merge` in its own transaction. */
  merge(duration: number): MergePlace | undefined {
    this.#spent = 0;
    const place = this.#inTransaction(() => this.#merger.merge(duration));
    // The reader drops the runs that have been merged.
    if (place === undefined) this.#reader.snapshot();
    return place;
  }

  /** Merges until no run is left. */
  mergeAll(): void {
    while (this.merge(Infinity) || this.#reader.snapshot().all.length > 0);
  }

  /** Puts a damaged blob aside. Reads it again first, because an intact one may have replaced it. */
  putAside({ kind, stations, first }: Damage): void {
    this.#inTransaction(() => {
      if (kind === 'chunk') this.#reader.readChunk(stations?.[0] ?? 0, dayOf(first));
      else
        for (const damage of this.#reader.snapshot().damage)
          if (damage.kind === 'run') this.#quarantine.add(damage);
    });
  }

  /**
   * Deletes the blobs that have been put aside and computes the states of their stations again. All runs must have been
   * merged.
   */
  discardDamaged(): void {
    this.#inTransaction(() => discardDamaged(this.#database, this.#reader, this.#states));
    this.#states.forget();
  }

  /**
   * Merges for as long as the last writes took if there are too many runs. Late rows search all runs, so writes would
   * become slower and slower.
   */
  #catchUp(): void {
    if (this.#spent > MERGE_SLICE && load(this.#reader.snapshot()) >= 2) this.merge(this.#spent);
  }

  #inTransaction<T>(work: () => T): T {
    try {
      return this.#database.transaction(work).immediate();
    } catch (error) {
      // The cached states may include rows of the transaction that was rolled back.
      this.#merger.forget();
      this.#states.forget();
      throw error;
    }
  }
}

/** The amount of unmerged data. From 1 on a merge is requested; from 2 on writes merge first. */
function load({ all }: Snapshot): number {
  const rows = all.reduce((sum, run) => sum + run.rows, 0);
  return Math.max(all.length / MAX_RUNS, rows / MAX_ROWS);
}
