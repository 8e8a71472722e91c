import type { Station } from '../../../domain/weather/station.js';

/** The stations that a reader asks for. */
export interface WantedStations {
  /** Equal for the same stations. */
  readonly key: string;
  /** Ids of single stations; undefined if only `matches` tells them. */
  readonly ids: readonly string[] | undefined;
  /** Whether it is one of them and the reader sees it. @param station as it is now */
  readonly matches: (station: Station) => boolean;
}
