import { isDomainError } from '#domain/domain-error.js';
import type { TimeRange, JudgeStation } from '../judging/judge-station.js';
import { pauses } from '../judging/judge-observations.js';
import { NeighbourReads } from '../judging/neighbour-reads.js';
import type { Neighbours } from '../judging/neighbours.js';
import { expectedRows } from '../read/observation-query.js';
import type { ObservationStore, StationDescription } from '../../ports/observation-store.js';
import type { StationDirectory } from '../../stations/station-directory.js';

/** Approximate number of rows above which a range is left to the background. */
const MOST_ROWS = 50_000;

/** Judges the range of an overrule at once, so that the next read shows it, unless it is long. */
export class JudgeOverruled {
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;
  readonly #neighbours: Neighbours;
  readonly #judge: JudgeStation;

  constructor(
    directory: StationDirectory,
    observations: ObservationStore,
    neighbours: Neighbours,
    judge: JudgeStation,
  ) {
    this.#directory = directory;
    this.#observations = observations;
    this.#neighbours = neighbours;
    this.#judge = judge;
  }

  async execute({ station, inventory }: StationDescription, range: TimeRange): Promise<void> {
    if (expectedRows(inventory, range) > MOST_ROWS) return;
    try {
      const reads = new NeighbourReads(this.#observations, await this.#directory.current(), this.#neighbours);
      await this.#judge.execute(station.id, range, reads, pauses(0, undefined));
    } catch (error) {
      // The overrule is stored, with a request for judging, so that the background does it later.
      if (!isDomainError(error, 'STORE_UNAVAILABLE')) throw error;
    }
  }
}
