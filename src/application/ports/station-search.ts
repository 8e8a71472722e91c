import type { Audience } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';

/** A position in degrees north and east. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** A box in degrees. If it crosses the antimeridian, `west` is greater than `east`. */
export interface BoundingBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface StationFilter {
  /** Stations are sorted by distance from this position, or by id if the position is undefined. */
  readonly near?: Position | undefined;
  /** Largest distance from `near` in kilometers. */
  readonly radius?: number | undefined;
  readonly bbox?: BoundingBox | undefined;
  /** A text that the id, the name or another identifier of a found station contains. Case is ignored. */
  readonly text?: string | undefined;
  /** Only stations whose ids come after this id, so that a page begins where the page before it ended, whatever was added before. */
  readonly after?: string | undefined;
}

export interface FoundStation {
  readonly station: Station;
  /** Distance from `near` in kilometers, along the great circle; undefined without `near`. */
  readonly distance: number | undefined;
}

/**
 * Finds stations as an audience (everybody, or only signed-in users) may see them: a station that is hidden from the audience is
 * not found, and a station whose position is rounded for the audience is found at the rounded position.
 */
export interface StationSearch {
  /** Finds at most `limit` matching stations, beginning at the match with index `offset`. May reject with STORE_UNAVAILABLE. */
  search(
    audience: Audience,
    filter: StationFilter,
    offset: number,
    limit: number,
  ): Promise<readonly FoundStation[]>;
  /** Number of matching stations. May reject with STORE_UNAVAILABLE. */
  count(audience: Audience, filter: Pick<StationFilter, 'bbox'>): Promise<number>;
  /**
   * Returns a function that checks whether `search` would find a station. The function looks only at the position of the station.
   * Its parameter must be the station as the audience may see it, for example with a rounded position.
   */
  matcher(filter: Omit<StationFilter, 'text' | 'after'>): (station: Station) => boolean;
}
