import type { Station } from '#domain/weather/station.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { TextColumn } from '../text/text-column.js';

/** What a file says of the station of its rows. */
export type NotedStation = Pick<
  Station,
  'id' | 'name' | 'latitude' | 'longitude' | 'elevation' | 'timeZone' | 'identifiers'
>;

/** Names and texts that a Parquet file has beside its rows (its key-value metadata). The service knows no license of the data. */
export function fileNotes(
  { id, name, latitude, longitude, elevation, timeZone, identifiers }: NotedStation,
  columns: readonly TextColumn[],
): { key: string; value: string }[] {
  const units = columns.map((column) => [column.heading ?? column.name, unitOf(column)] as const);
  const notes = {
    generator: 'weatherd',
    station: id,
    station_name: name,
    latitude: String(latitude),
    longitude: String(longitude),
    ...(elevation !== null && { elevation: String(elevation) }),
    // Of the station: the times of the rows are instants.
    time_zone: timeZone,
    identifiers: JSON.stringify(identifiers),
    units: JSON.stringify(Object.fromEntries(units)),
  };
  return Object.entries(notes).map(([key, value]) => ({ key, value }));
}

function unitOf({ number, conversion }: TextColumn): string {
  return conversion !== undefined && 'unit' in conversion ? conversion.unit : variableNumbered(number).unit;
}
