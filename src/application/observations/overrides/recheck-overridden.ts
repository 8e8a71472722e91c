import { isDomainError } from '#domain/domain-error.js';
import type { CheckStation } from '../recheck/check-station.js';
import type { TimeRange } from '../recheck/time-range.js';
import { pause } from '../../pause.js';
import { NeighborReads } from '../recheck/neighbor-reads.js';
import type { Neighbors } from '../recheck/neighbors.js';
import { expectedRows } from '../read/observation-query.js';
import type { ObservationStore, StationDescription } from '../../ports/observation-store.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { DueSearches } from '../notices/due-searches.js';

/** Approximate number of rows above which a range is checked in the background and not at once. */
const MAX_ROWS = 50_000;

/**
 * Checks the rows of a changed override at once, so that the next read shows the new flags. An override is the decision of an
 * administrator that the values of a range are good or bad. A large range is left to the background recheck. The notices of the range
 * are searched again soon, because they depend on the overrides.
 */
export class RecheckOverridden {
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;
  readonly #neighbors: Neighbors;
  readonly #recheck: CheckStation;
  readonly #searches: DueSearches;

  constructor(
    directory: StationDirectory,
    observations: ObservationStore,
    neighbors: Neighbors,
    recheck: CheckStation,
    searches: DueSearches,
  ) {
    this.#directory = directory;
    this.#observations = observations;
    this.#neighbors = neighbors;
    this.#recheck = recheck;
    this.#searches = searches;
  }

  async execute({ station, inventory }: StationDescription, range: TimeRange): Promise<void> {
    try {
      this.#searches.note(station.number, range, true);
      await this.#searches.flush();
      if (expectedRows(inventory, range) > MAX_ROWS) return;
      const reads = new NeighborReads(this.#observations, await this.#directory.current(), this.#neighbors);
      await this.#recheck.execute(station.id, range, reads, pause);
    } catch (error) {
      // If the store is unavailable, the background recheck does the work later, because a request for a recheck was stored
      // together with the override.
      if (!isDomainError(error, 'STORE_UNAVAILABLE')) throw error;
    }
  }
}
