/** The columns of a station, named as the fields of `Station`. */
export const STATION_COLUMNS = `id, number, name, latitude, longitude, elevation, time_zone AS "timeZone", identifiers,
  reporting_interval AS "reportingInterval", limits`;
