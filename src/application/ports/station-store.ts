import type { Station, StationDraft } from '../../domain/station.js';

export interface StationChange {
  readonly station: Station;
  /** Whether there was no such station before. */
  readonly made: boolean;
}

/**
 * The stations. What a promise has confirmed is on disk. Every method may reject with STORE_UNAVAILABLE.
 */
export interface StationStore {
  /** The station with this id, or undefined. */
  find(id: string): Promise<Station | undefined>;
  /** All stations in the order of the code points of their ids. */
  list(): Promise<readonly Station[]>;
  /** Makes stations or replaces what is said of them, all or none; in the order that was given. */
  put(stations: readonly StationDraft[]): Promise<readonly StationChange[]>;
  /** Removes a station with its observations. Resolves to whether there was one. */
  remove(id: string): Promise<boolean>;
  /** Changes whenever a station is made, changed or removed, by whatever instance. */
  version(): Promise<string>;
}
