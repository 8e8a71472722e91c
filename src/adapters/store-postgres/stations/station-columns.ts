import { readStation, type StoredStation } from '#domain/weather/stations/stored-station.js';

/** The columns of a station, named as the fields of `Station`. */
export const STATION_COLUMNS = `id, number, name, latitude, longitude, elevation, time_zone AS "timeZone", identifiers,
  reporting_interval AS "reportingInterval", limits, steps, persistence, sensor_heights AS "sensorHeights",
  cell_methods AS "cellMethods", stamp_interval AS "stampInterval", visibility, position_decimals AS "positionDecimals", earlier`;

export const SELECT_STATION = `SELECT ${STATION_COLUMNS} FROM weatherd.station`;

/** The columns of both tables of stations. */
export const STORED = `number, id, name, latitude, longitude, elevation, time_zone, identifiers, reporting_interval, limits,
  steps, persistence, sensor_heights, cell_methods, stamp_interval, visibility, position_decimals, earlier`;

/** A row of `STATION_COLUMNS`. */
export type StationRow = StoredStation;

export const toStation = (row: StationRow) => readStation(row);
export const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
