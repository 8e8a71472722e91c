import type { Station } from '#domain/weather/station.js';

/** The stations that a reader asks for. */
export interface WantedStations {
  /** Equal for the same stations. */
  readonly key: string;
  /** Whether the reader also wants the values of the local day. */
  readonly needsToday: boolean;
  /** Ids of single stations; undefined if only `matches` tells them. */
  readonly ids: readonly string[] | undefined;
  /** Whether it is one of them and the reader sees it. @param station as it is now */
  readonly matches: (station: Station) => boolean;
}
