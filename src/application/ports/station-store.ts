import type { StationEdit } from '../../domain/weather/station-edit.js';
import type { Station, StationDraft } from '../../domain/weather/station.js';

export interface StationChange {
  readonly station: Station;
  /** Whether there was no such station before. */
  readonly made: boolean;
}

/** A station that can be restored. */
export interface RemovedStation {
  readonly station: Station;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly removedAt: number;
}

/**
 * The stations. A hidden station keeps its id, its number, its observations and its grants, but nothing except `hidden`
 * shows it, and observations are written to it as little as to a number that no station has. What a promise has confirmed
 * is on disk. Every method may reject with STORE_UNAVAILABLE.
 */
export interface StationStore {
  /** The station with this id, or undefined. */
  find(id: string): Promise<Station | undefined>;
  /** All stations in the order of the code points of their ids. */
  list(): Promise<readonly Station[]>;
  /**
   * Reads, edits and writes stations in one transaction, all or none; in the order given, each as the one before has left
   * them. Rejects as `edited` does.
   */
  change(edits: readonly StationEdit[]): Promise<readonly StationChange[]>;
  /** Makes stations or replaces all their fields: `change` with `replacing`. */
  put(stations: readonly StationDraft[]): Promise<readonly StationChange[]>;
  /** Hides a station at `time` (milliseconds since 1970). Resolves to whether there was one. */
  hide(id: string, time: number): Promise<boolean>;
  /** Makes a hidden station be as before. Resolves to whether there was one. */
  restore(id: string): Promise<boolean>;
  /** The hidden stations in the order of their ids. */
  hidden(): Promise<readonly RemovedStation[]>;
  /**
   * Removes a station, hidden or not, for good with its grants. From then on there is no such station, no state of it and no
   * total; its rows are deleted by `eraseRows`. Resolves to whether there was one.
   *
   * @param hiddenUntil removes only a station that was hidden at that time (milliseconds since 1970) or before
   */
  remove(id: string, hiddenUntil?: number): Promise<boolean>;
  /** Numbers of the stations that were removed for good and may still have rows. */
  erased(): Promise<readonly number[]>;
  /**
   * Deletes some rows of a station that was removed for good, so few that nobody waits for long. Does nothing to any other
   * station. Resolves to whether it is to be called again.
   */
  eraseRows(number: number): Promise<boolean>;
  /** Changes whenever a station is made, changed, hidden, restored or removed, by whatever instance. */
  version(): Promise<string>;
}
