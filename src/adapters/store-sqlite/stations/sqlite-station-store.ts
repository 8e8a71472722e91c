import type { OwnStationStore } from '#adapters/store/stations/stations.js';
import type { StationStore } from '#application/ports/station-store.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { sqliteStore } from '../database/sqlite-store.js';

/** Stations in a SQLite data file. */
export function sqliteStations(database: SqliteDatabase): StationStore {
  const own: OwnStationStore = {
    remove: async (id, options) => {
      // Runs are merged in several steps first, so that other operations do not wait long. The removal itself then has
      // little to merge.
      while (await database.call('mergeRuns'));
      return await database.call('removeStation', id, options);
    },
    eraseRows: (number) => database.call('eraseRows', number),
  };
  return { ...sqliteStore(database, 'stations'), ...own };
}
