import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { StationEdit } from '#domain/weather/station-edit.js';
import type { Station, StationDraft } from '#domain/weather/station.js';

export interface StationChange {
  readonly station: Station;
  readonly isNew: boolean;
  /** The station before the change; absent for a new station. */
  readonly before?: Station;
}

/** A removed station that can be restored. */
export interface RemovedStation {
  readonly station: Station;
  /** Time of the removal, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly removedAt: number;
}

/** Further work in the transaction of a change. */
export interface StationChangeOptions {
  /**
   * If this time is given, the store also requests that rows are checked again after the change: all rows of the changed
   * stations, and the rows of nearby stations from this time on; see `recheckRequestsOf`. In milliseconds since
   * 1970-01-01T00:00:00Z.
   */
  readonly recheckAround?: number;
  /** Events to append to the audit trail. They are not appended if nothing changes. */
  readonly events?: readonly AuditEvent[];
}

export interface RemovalOptions extends StationChangeOptions {
  /** The station is removed only if it was hidden at this time or before, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly hiddenUntil?: number;
}

/**
 * The stations. A removed station is first hidden, so that it can be restored. A hidden station keeps its id, its number, its
 * observations and its grants, which permit users to write its observations. Only `hidden` returns hidden stations. When
 * observations are written, rows of hidden stations and of unknown station numbers are left out. When a promise resolves, the
 * data are on disk. Every method may reject with STORE_UNAVAILABLE.
 *
 * A station with an unreadable field is returned like other stations. Its field `damaged` describes the damage.
 */
export interface StationStore {
  /** The station with this id, or undefined. */
  find(id: string): Promise<Station | undefined>;
  /** All stations, sorted by the code points of their ids. */
  list(): Promise<readonly Station[]>;
  /**
   * Reads, edits and writes stations in one transaction, all or none. Each edit sees the results of the earlier edits.
   * Rejects with the errors of `applyEdit`.
   */
  change(edits: readonly StationEdit[], options?: StationChangeOptions): Promise<readonly StationChange[]>;
  /** Creates stations or replaces all their fields: `change` with `replacementEdit`. */
  put(stations: readonly StationDraft[]): Promise<readonly StationChange[]>;
  /** Hides a station at `time` (milliseconds since 1970-01-01T00:00:00Z). Resolves to whether the station existed. */
  hide(id: string, time: number, options?: StationChangeOptions): Promise<boolean>;
  /** Makes a hidden station visible again. Resolves to whether the station was hidden. */
  restore(id: string, options?: StationChangeOptions): Promise<boolean>;
  /** The hidden stations, sorted by id. */
  hidden(): Promise<readonly RemovedStation[]>;
  /**
   * Removes a station permanently, whether it is hidden or not. Its grants, its state and its totals are removed too. Its rows
   * are deleted later by `eraseRows`. Resolves to whether the station existed.
   */
  remove(id: string, options?: RemovalOptions): Promise<boolean>;
  /** Numbers of permanently removed stations that may still have rows. */
  erased(): Promise<readonly number[]>;
  /**
   * Deletes a limited number of rows of a permanently removed station, so that other callers do not wait long. Does nothing for
   * any other station. Resolves to whether rows remain, so that the method must be called again.
   */
  eraseRows(number: number): Promise<boolean>;
  /**
   * Retention periods of rows in milliseconds, by number of the station; null means forever. A station without an entry has
   * the default period.
   */
  periods(): Promise<ReadonlyMap<number, number | null>>;
  /**
   * Sets the retention period of a station in milliseconds; null means forever. Undefined gives the station the default period.
   *
   * @param expected the period that is replaced; without it, any period is replaced
   * @returns whether the replaced period was as expected
   */
  setPeriod(
    station: number,
    period: number | null | undefined,
    expected?: { readonly period: number | null | undefined },
  ): Promise<boolean>;
  /**
   * For each station number, the end of the months whose rows were removed because of their age, in milliseconds since
   * 1970-01-01T00:00:00Z. New rows up to this time are not written.
   */
  expiredUntil(): Promise<ReadonlyMap<number, number>>;
  /** Whether there are live stations of the demo. Called in the background, also by a service that nobody uses. */
  hasLiveDemo(): Promise<boolean>;
  /** Changes whenever any instance creates, changes, hides, restores or removes a station, or removes its oldest rows. */
  version(): Promise<string>;
}
