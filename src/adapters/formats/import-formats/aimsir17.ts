import type { StationDraft } from '#domain/weather/station.js';
import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

/** Met Éireann's synoptic stations: name, meters, latitude, longitude. */
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

const FIELDS: Readonly<Record<string, HeadingField>> = {
  rain: { variable: 'precipitation_amount', unit: 'mm' },
  temp: { variable: 'air_temperature', unit: '°C' },
  rhum: { variable: 'relative_humidity', unit: '%' },
  msl: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
  wdsp: { variable: 'wind_speed', unit: 'kt' },
  wddir: { variable: 'wind_from_direction', unit: 'degree' },
};

/** Hourly weather of Irish stations in 2017, from the R package aimsir17. */
export const aimsir17: ImportFormat = {
  name: 'aimsir17',
  title: 'hourly weather of 25 Irish stations, 2017, from the R package aimsir17 (Met Éireann)',
  recognize(head) {
    const headings = head.fields(1, ',');
    const [station, time] = [headings.indexOf('station'), headings.indexOf('date')];
    if (
      station === -1 ||
      time === -1 ||
      !['rhum', 'wdsp', 'wddir', 'msl'].every((name) => headings.includes(name))
    ) {
      return undefined;
    }
    return {
      layout: { kind: 'delimited', delimiter: ',', first: 2, width: headings.length },
      station: { at: station, heading: 'station', rename: toId },
      time: { at: [time], headings: ['date'], formats: ['iso'], zone: 'utc' },
      columns: columnsByHeading(headings, {
        fields: FIELDS,
        usedFields: [station, time],
        reasonOf: () => 'the same time again',
      }),
      missing: ['NA'],
      stations: STATIONS,
    };
  },
};

const STATIONS = IRELAND.map(([name, elevation, latitude, longitude]): StationDraft => ({
  id: toId(name),
  name,
  latitude,
  longitude,
  elevation,
  timeZone: 'Europe/Dublin',
  identifiers: {},
  reportingInterval: 3600,
  limits: {},
}));

/** Converts a name to an id: `CORK AIRPORT` → `CORK_AIRPORT`. */
function toId(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '_');
}
