import type { Database } from 'better-sqlite3';
import { runOn } from '#adapters/store-sqlite/database/statements.js';
import { CHECKED_STATIONS } from '#adapters/store-sqlite/ledgers/station-names.js';
import type { StationDraft } from '#domain/weather/station.js';

/** Creates stations in an open data file. */
export const putStations = (database: Database, ...drafts: readonly StationDraft[]) =>
  runOn(database, CHECKED_STATIONS.put.begin(drafts));
