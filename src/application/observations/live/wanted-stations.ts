import type { Station } from '#domain/weather/station.js';

/** The stations that a reader wants. */
export interface WantedStations {
  /** Selections of the same stations have equal keys. */
  readonly key: string;
  /** Whether the reader also wants the values of the local day. */
  readonly needsToday: boolean;
  /** Ids of the stations; undefined if only `matches` can decide. */
  readonly ids: readonly string[] | undefined;
  /** Whether the reader wants this station and may see it. @param station with its current settings */
  readonly matches: (station: Station) => boolean;
}
