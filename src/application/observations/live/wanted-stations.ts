import type { Station } from '#domain/weather/station.js';
import type { Included } from '../read/get-latest.js';

/** The data that a client can want in addition to the newest values. */
export interface Wanted extends Included {
  readonly alarms: boolean;
}

/** The stations of which a client wants to receive changes. */
export interface WantedStations {
  /** Selections of the same stations have equal keys. */
  readonly key: string;
  /** What the client wants in addition to the newest values. */
  readonly included: Wanted;
  /** Ids of the stations; undefined if only `matches` can decide. */
  readonly ids: readonly string[] | undefined;
  /** Whether the client wants this station and may see it. @param station with its current settings */
  readonly matches: (station: Station) => boolean;
}
