import { numberToRemove, removeStation } from '#adapters/store/stations/remove-station.js';
import { type OwnStationStore, STATIONS } from '#adapters/store/stations/station-operations.js';
import { lockVersion } from '#adapters/store/versions.js';
import type { StationStore } from '#application/ports/station-store.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { postgresStore } from '../database/postgres-store.js';
import { runOver } from '../database/statements.js';
import { ERASED_AT_ONCE, eraseOldestOfBoth, markDailyValues, removeState } from '../erasure/erased-rows.js';

/** The station store in PostgreSQL. @param erasedAtOnce see `ERASED_AT_ONCE` */
export function postgresStations(database: PostgresDatabase, erasedAtOnce = ERASED_AT_ONCE): StationStore {
  const own: OwnStationStore = {
    remove: (id, { hiddenUntil, ...along } = {}) =>
      database.transaction(async (query) => {
        await runOver(query, lockVersion('stations'));
        const number = await runOver(query, numberToRemove(id, hiddenUntil));
        if (number === undefined) return false;
        const before = await runOver(query, STATIONS.find.begin(id));
        await removeState(query, number);
        await runOver(query, removeStation(number, before, along));
        await markDailyValues(query, number);
        return true;
      }),
    eraseRows: (number) => database.transaction((query) => eraseOldestOfBoth(query, number, erasedAtOnce)),
  };
  return { ...postgresStore(database, 'stations'), ...own };
}
