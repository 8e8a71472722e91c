import type { StationStore } from '#application/ports/station-store.js';
import { readStation, type StoredStation } from '#domain/weather/stations/stored-station.js';
import { fromJson } from '../columns.js';
import { rowFrom, rowsFrom, send } from '../operation.js';
import { CODE_POINTS, type Fragment, sql } from '../sql.js';
import { type OperationsOf, present, read, write } from '../store-operations.js';
import { STATION_FIELDS } from './station-columns.js';

const FIELDS: Fragment = { sqlite: STATION_FIELDS, postgres: STATION_FIELDS };

/**
 * Operations on stations. Reads of stations that are not removed, which SQLite compares with a ledger, and changes, whose locks differ,
 * are in the drivers.
 */
export const STATIONS = {
  hidden: present(function* () {
    const found = yield* rowsFrom<StoredStation & { readonly removedAt: number }>(
      sql`SELECT ${FIELDS}, removed_at AS "removedAt" FROM weatherd.removed_station ORDER BY id ${CODE_POINTS}`,
    );
    return found.map(({ removedAt, ...row }) => ({ station: readStation(row, fromJson), removedAt }));
  }),

  erased: present(function* () {
    const found = yield* rowsFrom<{ number: number }>(
      sql`SELECT number FROM weatherd.erased_station ORDER BY number`,
    );
    return found.map(({ number }) => number);
  }),

  periods: present(function* () {
    const found = yield* rowsFrom<{ station: number; period: number | null }>(
      sql`SELECT station, period FROM weatherd.retention ORDER BY station`,
    );
    return new Map(found.map(({ station, period }) => [station, period]));
  }),

  setPeriod: write(function* (station, period) {
    yield* send(
      period === undefined
        ? sql`DELETE FROM weatherd.retention WHERE station = ${station}`
        : sql`INSERT INTO weatherd.retention (station, period) VALUES (${station}, ${period})
              ON CONFLICT (station) DO UPDATE SET period = excluded.period`,
    );
  }),

  removedUntil: read(function* () {
    const found = yield* rowsFrom<{ station: number; until: number }>(
      sql`SELECT station, max(month_end) AS until FROM weatherd.removed_month GROUP BY station`,
    );
    return new Map(found.map(({ station, until }) => [station, until]));
  }),

  version: read(function* () {
    const row = yield* rowFrom<{ version: number }>(sql`SELECT version FROM weatherd.station_version`);
    return String(row?.version);
  }),
} satisfies Partial<OperationsOf<StationStore>>;

/** The methods that each database has of its own. */
export type OwnStationStore = Omit<StationStore, keyof typeof STATIONS>;
