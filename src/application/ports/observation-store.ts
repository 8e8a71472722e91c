import type { ObservationChanges } from '#domain/weather/changed-rows.js';
import type { ChartColumns } from '#domain/weather/charts/thinned.js';
import type { DamagedSpan } from '#domain/weather/damaged-data.js';
import type { WriteCounts } from '#domain/weather/merge-series.js';
import type { ObservationBatch, Series } from '#domain/weather/series.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import type { UploadRecord } from './upload-record-store.js';

export interface ObservationQuery {
  /** `Station.number`s. Undefined means all stations, hidden ones included. */
  readonly stations?: readonly number[];
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Numbers of variables. Undefined means all. */
  readonly variables?: readonly number[];
  /** Largest number of rows that the reader takes, so that a store need not read more. Undefined means all. */
  readonly rows?: number;
  /**
   * Columns of a chart in `[from, to)`. A store may leave out the rows that `thinned` leaves out of them. A store that
   * reads in a thread of its own does so, because fewer rows are then sent to the caller.
   */
  readonly columns?: ChartColumns;
}

/** The extent of the readable observations of a station. */
export interface Inventory {
  readonly first: number | null;
  readonly last: number | null;
  /** Number of rows. */
  readonly count: number;
  /** Numbers of the variables that have a value, in rising order. */
  readonly variables: readonly number[];
  /** Range of times with damaged observations, which are not counted here. Readable observations may lie in it too. */
  readonly damaged?: DamagedSpan;
  /** Whether what is kept of the station is damaged, so that all of the above is unknown. Its rows may be undamaged. */
  readonly isUnknown?: boolean;
}

/** A range of one station with few rows. */
export interface ShortRange {
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Numbers of variables, or undefined for all. */
  readonly variables: readonly number[] | undefined;
  /** Largest number of rows. */
  readonly most: number;
}

/** One station; everything in it is of the same moment. */
export interface StationDescription extends Pick<Newest, 'lastSeen' | 'revision'> {
  readonly station: Station;
  readonly inventory: Inventory;
  /** The rows of the range, as `read` gives them; undefined where there was no range or the store has left them out. */
  readonly rows: Series | undefined;
}

export interface ObservationWrite {
  readonly batch: ObservationBatch;
  /**
   * Records that are written in the transaction of the rows, as `UploadRecordStore.put` writes them. If one of them has changed
   * meanwhile, nothing of this write is stored.
   */
  readonly records?: readonly UploadRecord[];
  /**
   * Number of the import that writes these rows, as `ImportLog.begin` returned it. The store then keeps the values that
   * the write replaces, in the same transaction. A call that would change something for an import that is not open
   * rejects with REQUEST_INVALID and writes nothing.
   */
  readonly importNumber?: number;
}

export interface WriteOutcome extends WriteCounts {
  /** Station numbers of the batch that no station has. Their rows were left out. */
  readonly unknown: readonly number[];
  /** Whether one of the records had another revision. Nothing was stored. */
  readonly isOutdated?: true;
}

export interface WriteResult {
  /** One outcome for each write, in the same order. */
  readonly outcomes: readonly WriteOutcome[];
  readonly changes: ObservationChanges;
}

/** A part of an undo, which has been committed. */
export interface UndoStep {
  /** Whether nothing is left to be taken back. */
  readonly isDone: boolean;
  /** The rows in which values were taken back. Rows that no longer exist are included. */
  readonly changes: ObservationChanges;
}

/** Values of one station that are erased. */
export interface EraseRange {
  /** `Station.number`. */
  readonly station: number;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Numbers of variables. Undefined means all. */
  readonly variables?: readonly number[] | undefined;
  /**
   * Whether the rows are removed because of their age. `[from, to)` are then whole months of the station, in its time zone. No
   * other row is judged again. The tables of days of these months are kept for ever, and rows of these months are not written
   * any more. Nothing is erased if the store keeps tables of days and one of the months has none.
   */
  readonly isExpiry?: boolean | undefined;
}

/** A part of an erasure, which has been committed. */
export interface EraseStep {
  /** What is left to be erased: the ranges for the next call. */
  readonly rest: readonly EraseRange[];
  /** What was erased of each station: values, and the rows that they were in. */
  readonly erased: readonly { readonly station: number; readonly rows: number; readonly values: number }[];
  /** The rows in which values were erased. Rows that no longer exist are included. */
  readonly changes: ObservationChanges;
}

/** The observations. When a promise resolves, the data are on disk. Every method may reject with STORE_UNAVAILABLE. */
export interface ObservationStore {
  /**
   * Writes rows in any order and judges their values, by the limits and the reporting interval that their station has
   * at that moment. Idempotent: a value replaces the stored one, an absent value leaves it. If two rows have the same
   * station and time, the later row wins. The order of calls that run at the same time is undefined.
   *
   * One call is one transaction, all or nothing. The exception is a call with so many late rows that other callers
   * would wait too long: it takes several transactions, and the committed ones stay if a later one fails. Sending the
   * rows again is safe. The rows of one transaction may be judged as one batch sorted by time. The store takes
   * ownership of the arrays of the batches.
   *
   * Rejects with a DomainError with `callOnly` if the store works but could not do one of these writes. Then nothing
   * was written, the batches are unchanged, and the other writes can be sent without that one. The same applies with
   * `partOnly`, if the store could not reach the data of some of the stations. After any other failure (no connection, no
   * answer in time, a full disk) the store may have written everything or nothing, and may have taken the arrays.
   */
  write(writes: readonly ObservationWrite[]): Promise<WriteResult>;
  /**
   * Takes back some of what the writes of an import have changed, the newest writes first, in one transaction. It is
   * called until nothing is left. If that is interrupted at any point, it can be continued.
   *
   * A value that is still the one that a write stored is replaced by the value before that write. If there was none, it
   * is removed, and with its last value the row. A value that was overwritten meanwhile stays, and so does every value
   * of a station that has been removed. The rows concerned, and the rows up to `STEP_REACH` after them, are judged
   * again. The counts are added to the record of the import; see `ImportLog.find`.
   *
   * @param importNumber of an import whose undo has begun; see `ImportLog.beginUndo`
   */
  undo(importNumber: number): Promise<UndoStep>;
  /**
   * Adds judged rows as they are, with their flags, in one transaction. Used to copy a store.
   *
   * @param batch sorted by (station, time)
   * @returns false if a station does not exist or a row is not newer than all stored rows of its station. Then nothing
   *   was added.
   */
  append(batch: ObservationBatch): Promise<boolean>;
  /**
   * Erases some of the values in the ranges, oldest first, in one transaction that is short enough that other callers do
   * not wait long. It is called with the rest until nothing is left. If that is interrupted at any point, it can be done
   * again.
   *
   * A row goes with its last value. The rows concerned, and the rows up to `STEP_REACH` after them, are judged again.
   * Values of a station that does not exist, or that is hidden, stay. Values that an import has written cannot be
   * brought back by its undo, and undoing it does not fail.
   */
  erase(ranges: readonly EraseRange[]): Promise<EraseStep>;
  /**
   * Reads rows in order of (station, time), in batches of bounded size. Rows without a value of the variables in the
   * query are left out. May reject with DATA_DAMAGED, which names station and day. The arrays of the batches belong to
   * the caller.
   */
  read(query: ObservationQuery): AsyncIterable<ObservationBatch>;
  /**
   * Describes the station with this id in one step, with its rows in a short range. A store may leave out the rows. It
   * must do so where there are more than `most`, and where some of them are damaged.
   *
   * @returns undefined for an id that no station has
   */
  describe(id: string, range?: ShortRange): Promise<StationDescription | undefined>;
  /**
   * The newest values, in the order of `stations`, always consistent with `read`. It does not fail on damaged
   * observations. For the stations with damage it leaves out values that may not be the newest.
   */
  newest(stations: readonly number[]): Promise<readonly Newest[]>;
  /** In the order of `stations`. Stored with the newest values, so that no rows are counted. */
  inventory(stations: readonly number[]): Promise<readonly Inventory[]>;
}
