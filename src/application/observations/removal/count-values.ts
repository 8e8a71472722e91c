import type { CellCount } from '#domain/weather/undo/cell-changes.js';
import type { EraseRange, ObservationStore } from '../../ports/observation-store.js';

/** Values of one station, and the rows that they are in. */
export interface StationCount extends CellCount {
  /** `Station.number`. */
  readonly station: number;
}

export interface CountWatch {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of ranges that are left. */
  readonly onRest?: ((ranges: number) => void) | undefined;
}

/** Counts what `EraseRanges` would erase. */
export class CountValues {
  readonly #observations: ObservationStore;

  constructor(observations: ObservationStore) {
    this.#observations = observations;
  }

  /**
   * @returns one count for each range, in the same order
   * @throws DomainError DATA_DAMAGED; the reason of the signal
   */
  async execute(ranges: readonly EraseRange[], watch: CountWatch = {}): Promise<readonly StationCount[]> {
    const counts: StationCount[] = [];
    for (const range of ranges) {
      counts.push(await this.#count(range, watch.signal));
      watch.onRest?.(ranges.length - counts.length);
    }
    return counts;
  }

  async #count(
    { station, variables, ...range }: EraseRange,
    signal: AbortSignal | undefined,
  ): Promise<StationCount> {
    let [rows, values] = [0, 0];
    const query = { stations: [station], ...range, ...(variables && { variables }) };
    for await (const batch of this.#observations.read(query)) {
      signal?.throwIfAborted();
      rows += batch.times.length;
      for (const column of batch.values.values())
        for (const value of column) if (!Number.isNaN(value)) values += 1;
    }
    return { station, rows, values };
  }
}
