import { DomainError } from '../../../domain/domain-error.js';
import type { ObservationBatch } from '../../../domain/weather/series.js';
import { isVariable } from '../../../domain/weather/variables.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import { assertNumbers, type StationDirectory } from '../../stations/station-directory.js';

/** By numbers; all stations and all variables where none are given. */
export interface NumberedQuery {
  readonly stations: readonly number[] | undefined;
  readonly variables: readonly number[] | undefined;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
}

/** Reads the rows of many stations, by their numbers. */
export class StreamObservations {
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;

  constructor(directory: StationDirectory, observations: ObservationStore) {
    this.#directory = directory;
    this.#observations = observations;
  }

  /**
   * Gives rows by (station, time), in batches of bounded size. Rows in which no variable that is asked for has a
   * value are left out.
   *
   * @throws DomainError STATION_UNKNOWN or REQUEST_INVALID for a number that nothing has, before the first batch
   */
  async *execute(query: NumberedQuery): AsyncGenerator<ObservationBatch> {
    const { stations, variables, from, to } = query;
    const directory = await this.#directory.current();
    if (stations !== undefined) assertNumbers(directory, stations);
    const unknown = variables?.find((number) => !isVariable(number));
    if (unknown !== undefined) {
      throw new DomainError('REQUEST_INVALID', `There is no variable with the number ${unknown}.`);
    }
    if (from > to) throw new DomainError('REQUEST_INVALID', 'to lies before from.');
    yield* this.#observations.read({
      // By number in any case: a removed station still has its observations.
      stations: [...new Set(stations ?? directory.byNumber.keys())],
      ...(variables && { variables }),
      from,
      to,
    });
  }
}
