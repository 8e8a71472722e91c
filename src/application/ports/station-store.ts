import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { StationEdit } from '#domain/weather/station-edit.js';
import type { Station, StationDraft } from '#domain/weather/station.js';

export interface StationChange {
  readonly station: Station;
  /** Whether the station is new. */
  readonly made: boolean;
  /** The station before the change. Absent if it is new. */
  readonly before?: Station;
}

/** A station that can be restored. */
export interface RemovedStation {
  readonly station: Station;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly removedAt: number;
}

/** What the transaction of a change does besides. */
export interface AlongWithChange {
  /**
   * Requests judging of what depends on the changed stations: `judgingOf` with this time, in milliseconds since
   * 1970-01-01T00:00:00Z. Undefined requests nothing.
   */
  readonly recheckAround?: number;
  /** Appended to the audit trail, unless nothing is changed. */
  readonly events?: readonly AuditEvent[];
}

export interface RemovalOptions extends AlongWithChange {
  /** The station is removed only if it was hidden at this time (milliseconds since 1970-01-01T00:00:00Z) or before. */
  readonly hiddenUntil?: number;
}

/**
 * The stations. A hidden station keeps its id, its number, its observations and its grants. Only `hidden` returns it,
 * and rows for it are left out of writes, as for a number that no station has. When a promise resolves, the data are on
 * disk. Every method may reject with STORE_UNAVAILABLE.
 *
 * A station with a field that cannot be read is returned like the others, with `damaged`.
 *
 */
export interface StationStore {
  /** The station with this id, or undefined. */
  find(id: string): Promise<Station | undefined>;
  /** All stations, sorted by the code points of their ids. */
  list(): Promise<readonly Station[]>;
  /**
   * Reads, edits and writes stations in one transaction, all or none. Each edit sees the results of those before it.
   * Rejects with the errors of `edited`.
   */
  change(edits: readonly StationEdit[], along?: AlongWithChange): Promise<readonly StationChange[]>;
  /** Creates stations or replaces all their fields: `change` with `replacing`. */
  put(stations: readonly StationDraft[]): Promise<readonly StationChange[]>;
  /** Hides a station at `time` (milliseconds since 1970). Resolves to whether the station existed. */
  hide(id: string, time: number, along?: AlongWithChange): Promise<boolean>;
  /** Makes a hidden station visible again. Resolves to whether the station was hidden. */
  restore(id: string, along?: AlongWithChange): Promise<boolean>;
  /** The hidden stations, sorted by id. */
  hidden(): Promise<readonly RemovedStation[]>;
  /**
   * Removes a station permanently, hidden or not, with its grants, its state and its totals. Its rows are deleted later
   * by `eraseRows`. Resolves to whether the station existed.
   */
  remove(id: string, options?: RemovalOptions): Promise<boolean>;
  /** Numbers of permanently removed stations that may still have rows. */
  erased(): Promise<readonly number[]>;
  /**
   * Deletes some rows of a permanently removed station, few enough that other callers do not wait long. Does nothing to
   * any other station. Resolves to whether it must be called again.
   */
  eraseRows(number: number): Promise<boolean>;
  /**
   * How long rows of stations are kept, in milliseconds, by number; null means for ever. A station without an entry has the
   * period of all stations.
   */
  periods(): Promise<ReadonlyMap<number, number | null>>;
  /** Sets how long rows of a station are kept, as in `periods`. Undefined removes its entry. */
  setPeriod(station: number, period: number | null | undefined): Promise<void>;
  /**
   * End of the months whose rows were removed because of their age, in milliseconds since 1970-01-01T00:00:00Z, by number of
   * the station. Rows up to this time are not written.
   */
  removedUntil(): Promise<ReadonlyMap<number, number>>;
  /** Changes whenever any instance creates, changes, hides, restores or removes a station, or removes its oldest rows. */
  version(): Promise<string>;
}
