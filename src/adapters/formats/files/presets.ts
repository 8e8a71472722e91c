import type { StationDraft } from '../../../domain/weather/station.js';
import type { FileColumn } from './file-row.js';

/** A kind of file that people have. */
export interface Preset {
  readonly description: string;
  readonly delimiter: string;
  readonly stationColumn: string;
  readonly rename?: (text: string) => string;
  readonly timeColumn: string;
  readonly timeFormat: string;
  readonly columns: readonly FileColumn[];
  readonly missing: readonly string[];
  /** Stations that are made when they are not there. */
  readonly stations: readonly StationDraft[];
}

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

/** Met Éireann's synoptic stations: name, metres, latitude, longitude. */
const IRELAND: readonly (readonly [name: string, elevation: number, latitude: number, longitude: number])[] =
  [
    ['ATHENRY', 40, 53.289, -8.786],
    ['BALLYHAISE', 78, 54.051, -7.31],
    ['BELMULLET', 9, 54.228, -10.007],
    ['CASEMENT', 91, 53.306, -6.439],
    ['CLAREMORRIS', 68, 53.711, -8.993],
    ['CORK AIRPORT', 155, 51.847, -8.486],
    ['DUBLIN AIRPORT', 71, 53.428, -6.241],
    ['DUNSANY', 83, 53.516, -6.66],
    ['FINNER', 33, 54.494, -8.243],
    ['GURTEEN', 75, 53.053, -8.009],
    ['JOHNSTOWNII', 62, 52.298, -6.497],
    ['KNOCK AIRPORT', 201, 53.906, -8.817],
    ['MACE HEAD', 21, 53.326, -9.901],
    ['MALIN HEAD', 20, 55.372, -7.339],
    ['MARKREE', 34, 54.175, -8.456],
    ['MOORE PARK', 46, 52.164, -8.264],
    ['MT DILLON', 39, 53.727, -7.981],
    ['MULLINGAR', 101, 53.537, -7.362],
    ['NEWPORT', 22, 53.922, -9.572],
    ['OAK PARK', 62, 52.861, -6.915],
    ['PHOENIX PARK', 48, 53.364, -6.35],
    ['ROCHES POINT', 40, 51.793, -8.244],
    ['SHANNON AIRPORT', 15, 52.69, -8.918],
    ['SherkinIsland', 21, 51.476, -9.428],
    ['VALENTIA OBSERVATORY', 24, 51.938, -10.241],
  ];

export const PRESETS: Readonly<Record<string, Preset>> = {
  nycflights13: {
    description: 'hourly weather of New York airports, 2013, as the R package nycflights13 has it',
    delimiter: ',',
    stationColumn: 'origin',
    timeColumn: 'time_hour',
    timeFormat: 'iso',
    columns: [
      { field: 'temp', variable: 'air_temperature', unit: '°F' },
      { field: 'dewp', variable: 'dew_point_temperature', unit: '°F' },
      { field: 'humid', variable: 'relative_humidity', unit: '%' },
      { field: 'wind_dir', variable: 'wind_from_direction', unit: 'degree' },
      { field: 'wind_speed', variable: 'wind_speed', unit: 'mph' },
      { field: 'wind_gust', variable: 'wind_speed_of_gust', unit: 'mph' },
      { field: 'precip', variable: 'precipitation_amount', unit: 'in' },
      { field: 'pressure', variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
      { field: 'visib', variable: 'visibility_in_air', unit: 'mi' },
    ],
    missing: ['NA'],
    stations: NEW_YORK.map(([id, name, latitude, longitude, feet]) => ({
      id,
      name,
      latitude,
      longitude,
      elevation: Math.round(feet * 3.048) / 10,
      timeZone: 'America/New_York',
      identifiers: { icao: `K${id}` },
      reportingInterval: 3600,
      limits: {},
    })),
  },
  aimsir17: {
    description: 'hourly weather of 25 Irish stations, 2017, as the R package aimsir17 has it (Met Éireann)',
    delimiter: ',',
    stationColumn: 'station',
    rename: toId,
    timeColumn: 'date',
    timeFormat: 'iso',
    columns: [
      { field: 'rain', variable: 'precipitation_amount', unit: 'mm' },
      { field: 'temp', variable: 'air_temperature', unit: '°C' },
      { field: 'rhum', variable: 'relative_humidity', unit: '%' },
      { field: 'msl', variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
      { field: 'wdsp', variable: 'wind_speed', unit: 'kt' },
      { field: 'wddir', variable: 'wind_from_direction', unit: 'degree' },
    ],
    missing: ['NA'],
    stations: IRELAND.map(([name, elevation, latitude, longitude]) => ({
      id: toId(name),
      name,
      latitude,
      longitude,
      elevation,
      timeZone: 'Europe/Dublin',
      identifiers: {},
      reportingInterval: 3600,
      limits: {},
    })),
  },
};

/** A name as an id: `CORK AIRPORT` → `CORK_AIRPORT`. */
function toId(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '_');
}
