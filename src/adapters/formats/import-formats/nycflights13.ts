import type { StationDraft } from '#domain/weather/station.js';
import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

const NEW_YORK: readonly (readonly [
  id: string,
  name: string,
  latitude: number,
  longitude: number,
  feet: number,
])[] = [
  ['EWR', 'Newark Liberty Intl', 40.6925, -74.168667, 18],
  ['JFK', 'John F Kennedy Intl', 40.639751, -73.778925, 13],
  ['LGA', 'La Guardia', 40.777245, -73.872608, 22],
];

const FIELDS: Readonly<Record<string, HeadingField>> = {
  temp: { variable: 'air_temperature', unit: '°F' },
  dewp: { variable: 'dew_point_temperature', unit: '°F' },
  humid: { variable: 'relative_humidity', unit: '%' },
  wind_dir: { variable: 'wind_from_direction', unit: 'degree' },
  wind_speed: { variable: 'wind_speed', unit: 'mph' },
  wind_gust: { variable: 'wind_speed_of_gust', unit: 'mph' },
  precip: { variable: 'precipitation_amount', unit: 'in' },
  pressure: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
  visib: { variable: 'visibility_in_air', unit: 'mi' },
};

/**
 * Hourly weather of the airports of New York in 2013, from the R package nycflights13. The reports were made at minute
 * 51, and their timestamps were cut to the hour: 00:51 became 00:00. Rows are moved to the end of the hour.
 */
export const nycflights13: ImportFormat = {
  name: 'nycflights13',
  title: 'hourly weather of New York airports, 2013, from the R package nycflights13',
  recognize(head) {
    const headings = head.fields(1, ',');
    const [station, time] = [headings.indexOf('origin'), headings.indexOf('time_hour')];
    if (station === -1 || time === -1 || !headings.includes('wind_gust')) return undefined;
    return {
      routineInterval: 3600,
      layout: { kind: 'delimited', delimiter: ',', first: 2, width: headings.length },
      station: { at: station, heading: 'origin' },
      time: { at: [time], headings: ['time_hour'], formats: ['iso'], zone: 'utc', interval: 3600 },
      columns: columnsByHeading(headings, {
        fields: FIELDS,
        usedFields: [station, time],
        reasonOf: () => 'the same time again',
      }),
      missing: ['NA'],
      stations: NEW_YORK_STATIONS,
    };
  },
};

/** The stations of the file. */
export const NEW_YORK_STATIONS = NEW_YORK.map(([id, name, latitude, longitude, feet]): StationDraft => ({
  id,
  name,
  latitude,
  longitude,
  elevation: Math.round(feet * 3.048) / 10,
  timeZone: 'America/New_York',
  identifiers: { icao: `K${id}` },
  reportingInterval: 3600,
  limits: {},
}));
