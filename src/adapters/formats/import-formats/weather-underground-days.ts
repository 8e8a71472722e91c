import { columnsByHeading, type HeadingField, OKTA } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

/** Ends of headings with their units. */
const UNITS: Readonly<Record<string, string>> = {
  C: '°C',
  F: '°F',
  'Km/h': 'km/h',
  KMH: 'km/h',
  MPH: 'mph',
  MPS: 'm/s',
  mm: 'mm',
  CM: 'cm',
  MM: 'mm',
  In: 'in',
  Km: 'km',
  Miles: 'mi',
};
/** Variables by the heading without its unit: of an airport, and of a station of a member. */
const VARIABLES: Readonly<Record<string, string>> = {
  'Max Temperature': 'daily_maximum_air_temperature',
  'Min Temperature': 'daily_minimum_air_temperature',
  'Max Gust Speed': 'daily_maximum_wind_speed_of_gust',
  Precipitation: 'daily_precipitation_amount',
  'Mean Visibility': 'daily_mean_visibility_in_air',
  'Mean Wind Speed': 'daily_mean_wind_speed',
  'Max Wind Speed': 'daily_maximum_wind_speed',
  TemperatureHigh: 'daily_maximum_air_temperature',
  TemperatureAvg: 'daily_mean_air_temperature',
  TemperatureLow: 'daily_minimum_air_temperature',
  GustSpeedMax: 'daily_maximum_wind_speed_of_gust',
  PrecipitationSum: 'daily_precipitation_amount',
  DewpointAvg: 'daily_mean_dew_point_temperature',
  WindSpeedAvg: 'daily_mean_wind_speed',
  WindSpeedMax: 'daily_maximum_wind_speed',
};
/** Columns without a unit in the heading. */
const FIELDS: Readonly<Record<string, HeadingField>> = {
  'Mean Humidity': { variable: 'daily_mean_relative_humidity', unit: '%' },
  HumidityAvg: { variable: 'daily_mean_relative_humidity', unit: '%' },
  CloudCover: { variable: 'daily_mean_cloud_area_fraction', unit: '%', factor: OKTA },
  // -1 means that the direction is variable.
  WindDirDegrees: { variable: 'daily_mean_wind_from_direction', unit: 'degree', words: { '-1': Number.NaN } },
};
// Expression of the names and units above: it has no repetition.
const HEADING = new RegExp(`^(${Object.keys(VARIABLES).join('|')}) ?(${Object.keys(UNITS).join('|')})$`);
/** Tags of HTML, which the files of Weather Underground have at the end of lines, and alone in lines. */
const TAGS = ['<br />', '<br/>', '<br>'];

/**
 * Daily history of Weather Underground, as its pages offered it: of an airport (`GMT,Max TemperatureC,…`) and of a station of a
 * member (`Date,TemperatureHighC,…`). The mean temperature of an airport is computed from the extremes.
 */
export const weatherUndergroundDays: ImportFormat = {
  name: 'weather-underground-days',
  title: 'Weather Underground, daily history',
  recognize(head) {
    const line = head.lines.findIndex((text) => text.trim() !== '' && !TAGS.includes(text.trim()));
    const headings = head.fields(line + 1, ',').map((text) => text.replace(/<br ?\/?>$/, ''));
    const [, second = ''] = headings;
    if (!/^(?:Max Temperature ?|TemperatureHigh)[CF]$/.test(second)) return undefined;
    const fields = Object.fromEntries(
      headings.flatMap((heading): [string, HeadingField][] => {
        const [, name = '', ending = ''] = HEADING.exec(heading) ?? [];
        const [variable, unit] = [VARIABLES[name], UNITS[ending]];
        if (variable === undefined || unit === undefined) return [];
        const isAmount = variable.endsWith('_amount');
        return [[heading, { variable, unit, endings: TAGS, ...(isAmount && { traces: ['T'] }) }]];
      }),
    );
    return {
      layout: { kind: 'delimited', delimiter: ',', first: line + 2 },
      time: {
        at: [0],
        headings: [headings[0] ?? ''],
        formats: ['YYYY-M-D', 'YYYY/M/D'],
        zone: 'station',
        days: 'all',
      },
      rows: [{ at: 0, drop: TAGS, reason: 'without data' }],
      columns: columnsByHeading(headings, {
        fields: { ...withTags(FIELDS), ...fields },
        usedFields: [0],
        reasonOf,
      }),
      missing: ['N/A', '-', '-9999', '-999', ...TAGS],
    };
  },
};

function withTags(fields: Readonly<Record<string, HeadingField>>): Readonly<Record<string, HeadingField>> {
  return Object.fromEntries(
    Object.entries(fields).map(([heading, field]) => [heading, { ...field, endings: TAGS }]),
  );
}

function reasonOf(heading: string): string | undefined {
  if (heading.startsWith('Mean Temperature')) return 'computed from the extremes';
  if (/^Mean(?: Sea Level|Dew| Dew)/.test(heading)) return 'may be computed from the extremes';
  return heading === 'Events' ? 'codes of the weather' : 'an extreme of the day';
}
