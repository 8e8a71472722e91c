import type { Audience } from '#domain/weather/stations/audience.js';
import { DomainError } from '#domain/domain-error.js';
import type { FoundStation, StationFilter, StationSearch } from '../ports/station-search.js';

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
    assertFilter(filter);
    const found = await this.#search.search(audience, filter, offset, limit + 1);
    return { stations: found.slice(0, limit), next: found.length > limit ? offset + limit : null };
  }
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
