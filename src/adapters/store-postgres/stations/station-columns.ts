import type { Station } from '../../../domain/weather/station.js';

/** The columns of a station, named as the fields of `Station`. */
export const STATION_COLUMNS = `id, number, name, latitude, longitude, elevation, time_zone AS "timeZone", identifiers,
  reporting_interval AS "reportingInterval", limits, steps, persistence, sensor_heights AS "sensorHeights",
  stamp_interval AS "stampInterval", earlier`;

/** A row of `STATION_COLUMNS`. */
export type StationRow = { readonly [K in keyof Required<Station>]: Required<Station>[K] | null } & {
  readonly number: number;
};

/** Leaves out the optional fields that are NULL. */
export function toStation(row: StationRow): Station {
  const { steps, persistence, sensorHeights, stampInterval, earlier, ...rest } = row;
  return {
    ...(rest as Station),
    ...(steps && { steps }),
    ...(persistence && { persistence }),
    ...(sensorHeights && { sensorHeights }),
    ...(stampInterval !== null && { stampInterval }),
    ...(earlier && { earlier }),
  };
}
