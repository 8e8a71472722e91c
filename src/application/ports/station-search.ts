import type { Audience } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';

/** In degrees north and east. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** A box in degrees. Across the antimeridian, its west is greater than its east. */
export interface BoundingBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface StationFilter {
  /** Sorts by distance from this position. Without it the order is that of the ids. */
  readonly near?: Position | undefined;
  /** Kilometers from `near`. */
  readonly radius?: number | undefined;
  readonly bbox?: BoundingBox | undefined;
  /** Part of an id, a name or another identifier. Case is ignored. */
  readonly text?: string | undefined;
}

export interface FoundStation {
  readonly station: Station;
  /** Kilometers along the great circle; undefined without `near`. */
  readonly distance: number | undefined;
}

/**
 * Finds stations. An audience finds only what it sees: hidden stations are not found, and a rounded position is the position of
 * its station.
 */
export interface StationSearch {
  /**
   * At most `limit` matching stations, from the match with index `offset` on. May reject with STORE_UNAVAILABLE.
   */
  search(
    audience: Audience,
    filter: StationFilter,
    offset: number,
    limit: number,
  ): Promise<readonly FoundStation[]>;
  /** Whether `search` would find a station at its place, as its audience sees it. The text is not compared. */
  matcher(filter: Omit<StationFilter, 'text'>): (station: Station) => boolean;
}
