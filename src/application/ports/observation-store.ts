import type { ObservationChanges } from '#domain/weather/changed-rows.js';
import type { ChartColumns } from '#domain/weather/charts/thinned.js';
import type { DamagedSpan } from '#domain/weather/damaged-data.js';
import type { WriteCounts } from '#domain/weather/merge-series.js';
import type { ObservationBatch, Series } from '#domain/weather/series.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import type { PartialSums, SumsQuery } from '#domain/weather/summaries/sums-query.js';
import type { StoredRecord } from './record-store.js';

export interface ObservationQuery {
  /**
   * `Station.number` of each station. Undefined means all stations, including hidden stations, which are removed but restorable.
   */
  readonly stations?: readonly number[];
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Numbers of variables. Undefined means all variables. */
  readonly variables?: readonly number[];
  /** Largest number of rows that the caller uses, so that a store need not read more. Undefined means all rows. */
  readonly rows?: number;
  /**
   * Present if the rows are for a line chart: the range `[from, to)`, divided into columns of equal time. A store may leave out
   * the rows that the chart cannot show; see `thinned`. A store that reads in its own thread leaves them out, because then fewer
   * rows are sent to the caller.
   */
  readonly columns?: ChartColumns;
}

/** The first and the last readable row of a series, and the number of its rows. */
export interface SeriesTotals {
  readonly first: number | null;
  readonly last: number | null;
  /** Number of rows. */
  readonly count: number;
}

/**
 * The inventory of a station: its totals, and the variables with values. The totals are the totals of its reports. The totals of
 * a station without reports are the totals of its daily values.
 */
export interface Inventory extends SeriesTotals {
  /** The totals of the daily values of the station. Absent if it has none. */
  readonly days?: SeriesTotals;
  /** Numbers of the variables with a value, in ascending order. */
  readonly variables: readonly number[];
  /**
   * Range of times with damaged observations. The other fields do not include the damaged observations. The range may contain
   * readable observations too.
   */
  readonly damaged?: DamagedSpan;
  /** Whether the stored state of the station is damaged, so that all fields above are unknown. The rows may be readable. */
  readonly isUnknown?: boolean;
}

/** A range of one station with few rows. */
export interface ShortRange {
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Numbers of variables; undefined means all variables. */
  readonly variables: readonly number[] | undefined;
  /** Largest number of rows. If the range has more, no rows are returned. */
  readonly maxRows: number;
}

/** The description of a station. All fields are of the same moment. */
export interface StationDescription extends Pick<Newest, 'lastSeen' | 'revision'> {
  readonly station: Station;
  readonly inventory: Inventory;
  /** The rows of the range, as `read` returns them; undefined without a range, and if the store has left them out. */
  readonly rows: Series | undefined;
}

export interface ObservationWrite {
  readonly batch: ObservationBatch;
  /**
   * Records that are written in the transaction of the rows, as `RecordStore.put` writes them. If another writer has
   * changed one of the records since the caller read it, nothing of this write is stored. The revision of the record shows this.
   */
  readonly records?: readonly StoredRecord[];
  /**
   * Number of the import that writes these rows, as `ImportLog.begin` returned it. The store then keeps the values that the write
   * replaces, in the same transaction. After the import has ended or its undo has begun, a call that would change something
   * rejects with REQUEST_INVALID and writes nothing.
   */
  readonly importNumber?: number;
}

export interface WriteOutcome extends WriteCounts {
  /** Numbers in the batch that belong to no station. Their rows were left out. */
  readonly unknown: readonly number[];
  /** Whether the stored revision of one of the `records` differed from the revision in the write. Then nothing was stored. */
  readonly isOutdated?: true;
}

export interface WriteResult {
  /** One outcome for each write, in the same order. */
  readonly outcomes: readonly WriteOutcome[];
  readonly changes: ObservationChanges;
}

/** A committed part of an undo. */
export interface UndoStep {
  /** Whether all changes are reverted. */
  readonly isDone: boolean;
  /** The rows with reverted values, including removed rows. */
  readonly changes: ObservationChanges;
}

/** Values of one station to erase. */
export interface EraseRange {
  /** `Station.number` of the station. */
  readonly station: number;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Numbers of variables. Undefined means all variables. */
  readonly variables?: readonly number[] | undefined;
  /**
   * Whether the rows are removed because of their age.
   *
   * - `[from, to)` are then whole months of the station, in its time zone.
   * - The daily aggregates of these months are kept forever. If the store keeps daily aggregates and a month has none, nothing is
   *   erased.
   * - New rows of these months are no longer written.
   * - The quality of the rows that stay is not checked again.
   */
  readonly isExpiry?: boolean | undefined;
}

/** A committed part of an erasure. */
export interface EraseStep {
  /** The ranges that are not erased yet, for the next call. */
  readonly remaining: readonly EraseRange[];
  /** For each station the numbers of erased values and of their rows. */
  readonly erased: readonly { readonly station: number; readonly rows: number; readonly values: number }[];
  /** The rows with erased values, including removed rows. */
  readonly changes: ObservationChanges;
}

/**
 * The observations. When a promise resolves, the data are on disk. Every method may reject with STORE_UNAVAILABLE.
 *
 * The daily values of a station (`Variable.period`) are stored apart from its reports, so that a read of daily values reads no
 * reports. `read` and `describe` return a report and daily values of the same time as one row. Two methods count rows of each
 * kind by themselves: `erase` and `undo`.
 */
export interface ObservationStore {
  /**
   * Writes rows in any order, and checks the quality of their values by the limits and the reporting interval that their station
   * has at the time of the call.
   *
   * - A value replaces the stored value, and an absent value changes nothing. So a call may be repeated.
   * - If two rows have the same station and time, the later row wins. The order of concurrent calls is undefined.
   * - The store takes ownership of the arrays of the batches.
   * - The rows of one transaction may be sorted by time and checked together.
   *
   * One call is one transaction, all or nothing. The exception is a call with very many late rows, which are rows that are not
   * newer than the stored rows of their station. To write them takes long, and other callers would have to wait. So such a call
   * uses several transactions. If one of them fails, the earlier ones stay committed, and all rows can safely be sent again.
   *
   * If the call rejects with a DomainError whose `callOnly` or `partOnly` is true, nothing was written, and the batches are
   * unchanged. The other writes can be sent again without the failed write.
   *
   * - `callOnly`: the store works, and only one of these writes failed.
   * - `partOnly`: the store could not reach the data of some of the stations.
   *
   * After any other failure (no connection, no answer in time, a full disk), the store may have written everything or nothing. It
   * may also have transferred the arrays, so that the caller can no longer use them.
   */
  write(writes: readonly ObservationWrite[]): Promise<WriteResult>;
  /**
   * Reverts some of the changes that an import has made, in one transaction; its newest writes are reverted first. The caller
   * repeats the call until all changes are reverted, also after an interruption at any point.
   *
   * - A value of the import is replaced by the value that was stored before the import wrote it. If there was none, the value is
   *   removed.
   * - A row without any remaining value is removed.
   * - A value that was overwritten after the import stays, and so does every value of a removed station.
   * - The quality of the changed rows is checked again, and also of the rows up to `STEP_REACH` after them, because their checks
   *   use the changed rows.
   * - The record of the import counts the values that were reverted and the values that could not be reverted; see
   *   `ImportLog.find`.
   *
   * @param importNumber number of an import whose undo has begun; see `ImportLog.beginUndo`
   */
  undo(importNumber: number): Promise<UndoStep>;
  /**
   * Adds checked rows unchanged, with their flags, in one transaction. Used to copy a store.
   *
   * @param batch sorted by (station, time)
   * @returns false if a station does not exist or a row is not newer than all stored rows of its station. Then nothing
   *   was added.
   */
  append(batch: ObservationBatch): Promise<boolean>;
  /**
   * Erases some of the values in the ranges, oldest first, in a short transaction, so that other callers do not wait long. The
   * caller repeats the call with the remaining ranges until none remains, also after an interruption at any point.
   *
   * - A row without any remaining value is removed.
   * - The quality of the changed rows is checked again, and also of the rows up to `STEP_REACH` after them, because their checks
   *   use the changed rows.
   * - Values of a station that does not exist, or that is hidden (removed but restorable), stay.
   * - A later undo of an import does not restore erased values, and does not fail because of them.
   */
  erase(ranges: readonly EraseRange[]): Promise<EraseStep>;
  /**
   * Reads rows in order of (station, time), in batches of bounded size. Rows without a value of the variables in the
   * query are left out. May reject with DATA_DAMAGED, with the station and the day in the message. The arrays of the
   * batches belong to the caller.
   */
  read(query: ObservationQuery): AsyncIterable<ObservationBatch>;
  /**
   * Computes the sums of the rows of stations in buckets, as `StationsSums` computes them. A store that reads in its own threads
   * computes them there, so that no rows are sent to the caller. The results come in parts, in any order. They may be empty: a
   * result also follows each batch of rows that the thread of the caller has summed. It is fastest if the stations are in the order
   * of their numbers. May reject with DATA_DAMAGED.
   */
  sum(query: SumsQuery): AsyncIterable<PartialSums>;
  /**
   * Describes the station with this id in one step, with its rows in a short range. A store may leave out the rows. It
   * must leave them out if there are more than `maxRows`, or if some of them are damaged.
   *
   * @returns undefined if no station has this id
   */
  describe(id: string, range?: ShortRange): Promise<StationDescription | undefined>;
  /**
   * The newest values of each station, in the order of `stations`. They are always consistent with `read`. Damaged observations
   * cause no error: a value is left out if one of the damaged observations may be newer than this value.
   */
  newest(stations: readonly number[]): Promise<readonly Newest[]>;
  /** The inventories, in the order of `stations`. They are stored with the newest values, so the store need not count rows. */
  inventory(stations: readonly number[]): Promise<readonly Inventory[]>;
}
