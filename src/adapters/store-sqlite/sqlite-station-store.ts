import type { StationChange, StationStore } from '../../application/ports/station-store.js';
import type { Station, StationDraft } from '../../domain/station.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** Stations in a SQLite data file. */
export class SqliteStationStore implements StationStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  find(id: string): Promise<Station | undefined> {
    return this.#database.lookUp('station', id);
  }

  list(): Promise<readonly Station[]> {
    return this.#database.lookUp('stations');
  }

  put(stations: readonly StationDraft[]): Promise<readonly StationChange[]> {
    return this.#database.call('putStations', stations);
  }

  remove(id: string): Promise<boolean> {
    return this.#database.call('removeStation', id);
  }

  version(): Promise<string> {
    return this.#database.lookUp('stationVersion');
  }
}
