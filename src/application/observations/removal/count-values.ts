import type { Series } from '#domain/weather/series.js';
import { isDaily } from '#domain/weather/variables.js';
import type { CellCount } from '#domain/weather/undo/cell-changes.js';
import type { EraseRange, ObservationStore } from '../../ports/observation-store.js';

/** The number of values of one station, and the number of rows that contain them. */
export interface StationCount extends CellCount {
  /** `Station.number` of the station. */
  readonly station: number;
}

/** Observes a long count or removal, and can stop it with `signal`. */
export interface ProgressWatch {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of ranges that remain. */
  readonly onRemaining?: ((ranges: number) => void) | undefined;
}

/** Counts the values that `EraseRanges` would erase. */
export class CountValues {
  readonly #observations: ObservationStore;

  constructor(observations: ObservationStore) {
    this.#observations = observations;
  }

  /**
   * @returns one count for each range, in the same order
   * @throws DomainError DATA_DAMAGED; the reason of the signal
   */
  async execute(ranges: readonly EraseRange[], watch: ProgressWatch = {}): Promise<readonly StationCount[]> {
    const counts: StationCount[] = [];
    for (const range of ranges) {
      counts.push(await this.#count(range, watch.signal));
      watch.onRemaining?.(ranges.length - counts.length);
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
      rows += countRows(batch);
      for (const column of batch.values.values())
        for (const value of column) if (!Number.isNaN(value)) values += 1;
    }
    return { station, rows, values };
  }
}

/** Counts rows as `ObservationStore.erase` does: a row with reports and with daily values counts twice. */
function countRows({ times, values }: Series): number {
  const columns = [...values];
  const days = columns.filter(([variable]) => isDaily(variable));
  if (days.length === 0) return times.length;
  const reports = columns.filter(([variable]) => !isDaily(variable));
  const hasValue = (row: number) => (column: (typeof columns)[number]) => !Number.isNaN(column[1][row]);
  let rows = 0;
  for (const row of times.keys()) {
    if (days.some(hasValue(row))) rows += 1;
    if (reports.some(hasValue(row))) rows += 1;
  }
  return rows;
}
