import type { Station } from '#domain/weather/station.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { TextColumn } from '../text/text-column.js';

/** The station of the rows, as a file describes it. */
export type NotedStation = Pick<
  Station,
  'id' | 'name' | 'latitude' | 'longitude' | 'elevation' | 'timeZone' | 'identifiers'
>;

/**
 * The key-value metadata of a Parquet or Arrow file. The metadata name no license, because the service does not know the license of the
 * data.
 *
 * @param more further entries
 */
export function fileNotes(
  { id, name, latitude, longitude, elevation, timeZone, identifiers }: NotedStation,
  columns: readonly TextColumn[],
  more: Readonly<Record<string, string>> = {},
): { key: string; value: string }[] {
  const units = columns.map((column) => [column.heading ?? column.name, unitOf(column)] as const);
  const notes = {
    generator: 'weatherd',
    station: id,
    station_name: name,
    latitude: String(latitude),
    longitude: String(longitude),
    ...(elevation !== null && { elevation: String(elevation) }),
    // This is the time zone of the station. It is not needed to read the times of the rows, which are in UTC.
    time_zone: timeZone,
    identifiers: JSON.stringify(identifiers),
    units: JSON.stringify(Object.fromEntries(units)),
    ...more,
  };
  return Object.entries(notes).map(([key, value]) => ({ key, value }));
}

/** The unit of the written values of a column. */
export function unitOf({ number, conversion }: TextColumn): string {
  return conversion !== undefined && 'unit' in conversion ? conversion.unit : variableNumbered(number).unit;
}
