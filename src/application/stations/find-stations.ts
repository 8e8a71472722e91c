import type { Audience } from '#domain/weather/stations/audience.js';
import { DomainError } from '#domain/domain-error.js';
import type { FoundStation, Position, StationFilter, StationSearch } from '../ports/station-search.js';

/** Number of stations in a reply: the default and the maximum. */
export const STATION_LIMITS = { default: 100, max: 10_000 } as const;

export interface StationPage {
  readonly stations: readonly FoundStation[];
  /** Offset of the next page; null on the last page. */
  readonly next: number | null;
}

/** Finds stations by position or text. */
export class FindStations {
  readonly #search: StationSearch;

  constructor(search: StationSearch) {
    this.#search = search;
  }

  /** @throws DomainError REQUEST_INVALID for a radius without a position, or for an invalid box */
  async execute(
    filter: StationFilter,
    offset: number,
    limit: number,
    audience: Audience = 'everybody',
  ): Promise<StationPage> {
    const found = await searchStations(this.#search, audience, filter, offset, limit + 1);
    return { stations: found.slice(0, limit), next: found.length > limit ? offset + limit : null };
  }

  /** Number of the stations in a box, or of all stations. @throws DomainError REQUEST_INVALID for an invalid box */
  async count(bbox: StationFilter['bbox'], audience: Audience): Promise<number> {
    assertFilter({ bbox });
    return await this.#search.count(audience, { bbox });
  }
}

/** Distance in kilometers within which a search with `near` expects a station. */
const EXPECTED_KM = 1000;

/**
 * Searches stations, and refuses a search whose latitude and longitude are probably swapped.
 *
 * @throws DomainError REQUEST_INVALID for a radius without a position, for an invalid box, or if only the swapped position has a
 *   station within 1,000 km. A search with a larger radius is not refused
 */
export async function searchStations(
  search: StationSearch,
  audience: Audience,
  filter: StationFilter,
  offset: number,
  limit: number,
): Promise<readonly FoundStation[]> {
  assertFilter(filter);
  const found = await search.search(audience, filter, offset, limit);
  const { near, radius = 0 } = filter;
  const isNear = (found[0]?.distance ?? Infinity) <= EXPECTED_KM;
  if (near === undefined || isNear || offset > 0 || radius > EXPECTED_KM) return found;
  const { latitude, longitude } = near;
  const hasStation = async (place: Position) =>
    (await search.search(audience, { near: place, radius: EXPECTED_KM }, 0, 1)).length > 0;
  const isSwapped =
    Math.abs(longitude) <= 90 &&
    !(await hasStation(near)) &&
    (await hasStation({ latitude: longitude, longitude: latitude }));
  if (!isSwapped) return found;
  throw new DomainError(
    'REQUEST_INVALID',
    `near: no station is within ${EXPECTED_KM} km of the latitude ${latitude} and the longitude ${longitude}, but near=${longitude},${latitude} has stations. ` +
      `The latitude comes first. To find stations that are farther away, send a radius above ${EXPECTED_KM}.`,
  );
}

export function assertFilter({ near, radius, bbox }: StationFilter): void {
  if (radius !== undefined && near === undefined) {
    throw new DomainError('REQUEST_INVALID', 'A radius needs a position: send near too.');
  }
  if (bbox !== undefined && bbox.south > bbox.north) {
    throw new DomainError(
      'REQUEST_INVALID',
      'The south of bbox is greater than its north. A bbox is west,south,east,north.',
    );
  }
}
