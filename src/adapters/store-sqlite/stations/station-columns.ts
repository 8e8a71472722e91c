import type { Station } from '#domain/weather/station.js';
import { readStation, type StoredStation } from '#domain/weather/stations/stored-station.js';
import { parseJson } from './parse-json.js';

/** Columns that both tables of stations have. */
export const COLUMNS = `number, id, name, latitude, longitude, elevation, time_zone, identifiers, reporting_interval, limits,
  steps, persistence, sensor_heights, cell_methods, stamp_interval, visibility, position_decimals, earlier`;
/** The same, named as the fields of `Station`. */
export const FIELDS = COLUMNS.replace('time_zone', 'time_zone AS timeZone')
  .replace('reporting_interval', 'reporting_interval AS reportingInterval')
  .replace('sensor_heights', 'sensor_heights AS sensorHeights')
  .replace('cell_methods', 'cell_methods AS cellMethods')
  .replace('stamp_interval', 'stamp_interval AS stampInterval')
  .replace('position_decimals', 'position_decimals AS positionDecimals');

export const toStation = (row: StoredStation): Station => readStation(row, parseJson);
export const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
