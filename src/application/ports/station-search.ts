import type { Station } from '../../domain/weather/station.js';

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** West of east where it crosses the antimeridian. Degrees. */
export interface BoundingBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface StationFilter {
  /** Nearest first; otherwise in the order of ids. */
  readonly near?: Place | undefined;
  /** Kilometres from `near`. */
  readonly radius?: number | undefined;
  readonly bbox?: BoundingBox | undefined;
  /** Part of an id, a name or another identifier, in any case. */
  readonly text?: string | undefined;
}

export interface FoundStation {
  readonly station: Station;
  /** Kilometres along the great circle, where `near` was asked for. */
  readonly distance: number | undefined;
}

/** Finds stations. May reject with STORE_UNAVAILABLE. */
export interface StationSearch {
  /** The stations from the `offset`th that matches on, at most `limit`. */
  search(filter: StationFilter, offset: number, limit: number): Promise<readonly FoundStation[]>;
}
