import type {
  FinishedRequest,
  JudgingRequest,
  JudgingStore,
  StoredRequest,
} from '#application/ports/judging-store.js';
import { ChangedRows, type ObservationChanges } from '#domain/weather/changed-rows.js';
import { mergeSeries } from '#domain/weather/merge-series.js';
import type { Series } from '#domain/weather/series.js';
import type { MemoryDatabase } from './memory-database.js';

/** What is to be judged again, in memory. */
export class MemoryJudgingStore implements JudgingStore {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async request(requests: readonly JudgingRequest[]): Promise<void> {
    this.#database.requestJudging(requests);
  }

  async requests(limit: number, after = 0): Promise<readonly StoredRequest[]> {
    const { unjudged } = this.#database;
    const written = [...unjudged].map(([station, [from, last]]) => {
      return { station, from, to: last + 1, spreads: true };
    });
    unjudged.clear();
    this.#database.requestJudging(written);
    const { judgingRequests } = this.#database;
    return judgingRequests
      .filter(({ id, station }) => id > after && (station === null || this.#isKnown(station)))
      .slice(0, limit);
  }

  async waiting(): Promise<number> {
    return this.#database.judgingRequests.length;
  }

  async finish(done: readonly FinishedRequest[]): Promise<void> {
    const database = this.#database;
    for (const { id, from } of done.toSorted((a, b) => a.id - b.id)) {
      const request = database.judgingRequests.find((one) => one.id === id);
      database.judgingRequests = database.judgingRequests.filter((one) => one !== request);
      if (request !== undefined && from !== undefined) database.requestJudging([{ ...request, from }]);
    }
  }

  async judge(station: number, revision: string, rows: Series): Promise<ObservationChanges | undefined> {
    const before = this.#database.observations.get(station);
    if (before === undefined || String(before.revision) !== revision || !this.#isKnown(station))
      return undefined;
    const changed = new ChangedRows();
    const next = before.revision + 1;
    const { series } = mergeSeries(before.series, rows);
    this.#database.observations.set(station, { series, revision: next });
    changed.addAll(station, rows.times, next);
    return changed.changes;
  }

  #isKnown(number: number): boolean {
    return [...this.#database.stations.values()].some((station) => station.number === number);
  }
}
