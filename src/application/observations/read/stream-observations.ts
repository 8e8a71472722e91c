import { DomainError } from '#domain/domain-error.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { isVariable } from '#domain/weather/variables.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import { assertNumbers, type StationDirectory } from '../../stations/station-directory.js';

/** A query by numbers of stations and variables. An undefined list means all stations or all variables. */
export interface NumberedQuery {
  readonly stations: readonly number[] | undefined;
  readonly variables: readonly number[] | undefined;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
}

/** Reads the rows of many stations, which are given by number. */
export class StreamObservations {
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;

  constructor(directory: StationDirectory, observations: ObservationStore) {
    this.#directory = directory;
    this.#observations = observations;
  }

  /**
   * Yields rows in the order of station and time, in batches of bounded size. Rows without a value of the requested variables are
   * omitted.
   *
   * @throws DomainError before the first batch: STATION_UNKNOWN or REQUEST_INVALID for an unknown number
   */
  async *execute(query: NumberedQuery): AsyncGenerator<ObservationBatch> {
    const { stations, variables, from, to } = query;
    const directory = await this.#directory.current();
    if (stations !== undefined) assertNumbers(directory, stations);
    const unknown = variables?.find((number) => !isVariable(number));
    if (unknown !== undefined) {
      throw new DomainError('REQUEST_INVALID', `There is no variable with the number ${unknown}.`);
    }
    if (from > to) throw new DomainError('REQUEST_INVALID', 'to is before from.');
    yield* this.#observations.read({
      // The query always lists its stations, because without a list the store would also return the rows of hidden stations,
      // which are removed but restorable.
      stations: [...new Set(stations ?? directory.byNumber.keys())],
      ...(variables && { variables }),
      from,
      to,
    });
  }
}
