import { STATION_FIELDS } from '#adapters/store/stations/station-columns.js';
import { readStation, type StoredStation } from '#domain/weather/stations/stored-station.js';

export const SELECT_STATION = `SELECT ${STATION_FIELDS} FROM weatherd.station`;

/** A row of `STATION_FIELDS`. */
export type StationRow = StoredStation;

export const toStation = (row: StationRow) => readStation(row);
