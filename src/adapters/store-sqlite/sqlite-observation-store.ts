import type {
  Inventory,
  ObservationQuery,
  ObservationStore,
  ObservationWrite,
  WriteOutcome,
} from '../../application/ports/observation-store.js';
import type { ObservationBatch } from '../../domain/observations.js';
import { type Newest, StationState } from '../../domain/station-state.js';
import type { SentWrite } from './observation-operations.js';
import type { ReadPage, ReadPlace } from './reader-worker.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** Values of a batch, about: 4,096 rows of twelve variables. */
const BATCH_VALUES = 49_152;
const MOST_ROWS = 16_384;
/** Variables that a station has, about, where nobody says which. */
const USUAL_VARIABLES = 12;

/** Observations in a SQLite data file. */
export class SqliteObservationStore implements ObservationStore {
  readonly #database: SqliteDatabase;
  #merging: Promise<void> | undefined;
  /** Those that the writing thread has. */
  #rules: ObservationWrite['rules'] | undefined;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    database.beforeClose(async () => this.#merging);
  }

  async write(writes: readonly ObservationWrite[]): Promise<readonly WriteOutcome[]> {
    const sent = writes.map(({ batch, rules }): SentWrite => {
      const isKnown = rules === this.#rules;
      this.#rules = rules;
      return { batch, rules: isKnown ? undefined : rules };
    });
    const columns = writes.flatMap(({ batch }) => [batch.stations, batch.times, ...batch.values.values()]);
    const buffers = [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))];
    const { due, outcomes } = await this.#database.callGiving(buffers, 'writeObservations', sent);
    if (due) this.#merge();
    return outcomes;
  }

  async *read(query: ObservationQuery): AsyncGenerator<ObservationBatch> {
    const { from, to, variables } = query;
    if (from >= to) return;
    const stations = query.stations ?? (await this.#database.read('stationNumbers'));
    const limit = Math.min(Math.ceil(BATCH_VALUES / (variables?.length ?? USUAL_VARIABLES)), MOST_ROWS);
    const ask = (place: ReadPlace) =>
      this.#database.read('observations', { ...place, from, to, variables, limit });
    let page: Promise<ReadPage> | undefined = ask({
      stations: [...stations].sort((a, b) => a - b),
      resumeAt: -Infinity,
    });
    try {
      while (page !== undefined) {
        const { batch, next }: ReadPage = await page;
        // The next one is read while this one is looked at.
        page = next === null ? undefined : ask(next);
        if (batch.times.length > 0) yield batch;
      }
    } finally {
      // Whoever stops early does not wait for it.
      page?.catch(() => undefined);
    }
  }

  async newest(stations: readonly number[]): Promise<readonly Newest[]> {
    const states = await this.#database.read('states', stations);
    return stations.map((station, index) => {
      const { data, revision } = states[index] as (typeof states)[0];
      return new StationState(data).describe(station, revision);
    });
  }

  inventory(stations: readonly number[]): Promise<readonly Inventory[]> {
    return this.#database.read('inventory', stations);
  }

  /** Behind the writes and in turn with them; that one fails is no matter, for the next write asks again. */
  #merge(): void {
    this.#merging ??= this.#mergeAll()
      .catch(() => undefined)
      .finally(() => (this.#merging = undefined));
  }

  async #mergeAll(): Promise<void> {
    while (await this.#database.call('mergeRuns'));
  }
}
