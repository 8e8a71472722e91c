/** Columns that both tables of stations have. */
export const STATION_COLUMNS = `number, id, name, latitude, longitude, elevation, time_zone, identifiers, reporting_interval, limits,
  steps, persistence, sensor_heights, cell_methods, stamp_interval, visibility, position_decimals, earlier`;

/** The same, named as the fields of `Station`. */
export const STATION_FIELDS = STATION_COLUMNS.split(/,\s+/)
  .map((column) => `${column} AS "${column.replaceAll(/_./g, (part) => part.slice(1).toUpperCase())}"`)
  .join(', ');

/** JSON of a field that may be absent. */
export const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
