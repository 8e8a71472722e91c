import type { OwnStationStore } from '#adapters/store/stations/station-operations.js';
import type { StationStore } from '#application/ports/station-store.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { sqliteStore } from '../database/sqlite-store.js';

/** The station store in a SQLite data file. */
export function sqliteStations(database: SqliteDatabase): StationStore {
  const own: OwnStationStore = {
    remove: async (id, options) => {
      // New rows are first moved into blobs with the rows of one station. This is done in several steps, so that other operations
      // do not wait long. The removal itself then has few rows to move.
      while (await database.call('mergeRuns'));
      return await database.call('removeStation', id, options);
    },
    eraseRows: (number) => database.call('eraseRows', number),
  };
  return { ...sqliteStore(database, 'stations'), ...own };
}
