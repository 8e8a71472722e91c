import type { Station } from '#domain/weather/station.js';

/** The stations of which a client wants to receive changes. */
export interface WantedStations {
  /** Selections of the same stations have equal keys. */
  readonly key: string;
  /** Whether the client also wants the values of the local day. */
  readonly needsToday: boolean;
  /** Ids of the stations; undefined if only `matches` can decide. */
  readonly ids: readonly string[] | undefined;
  /** Whether the client wants this station and may see it. @param station with its current settings */
  readonly matches: (station: Station) => boolean;
}
