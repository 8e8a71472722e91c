import { columnsByHeading, type HeadingField, OKTA } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

/** Elements by their codes. Most values are in tenths. */
const ELEMENTS: Readonly<Record<string, HeadingField>> = {
  // 0 is calm or variable, and 360 is north.
  DDVEC: { variable: 'daily_mean_wind_from_direction', unit: 'degree', words: { '0': Number.NaN } },
  FG: { variable: 'daily_mean_wind_speed', unit: 'm/s', factor: 0.1 },
  // The highest mean of an hour.
  FHX: { variable: 'daily_maximum_wind_speed', unit: 'm/s', factor: 0.1 },
  FXX: { variable: 'daily_maximum_wind_speed_of_gust', unit: 'm/s', factor: 0.1 },
  TG: { variable: 'daily_mean_air_temperature', unit: '°C', factor: 0.1 },
  TN: { variable: 'daily_minimum_air_temperature', unit: '°C', factor: 0.1 },
  TX: { variable: 'daily_maximum_air_temperature', unit: '°C', factor: 0.1 },
  // -1 means less than 0.05 h.
  SQ: { variable: 'daily_duration_of_sunshine', unit: 'h', factor: 0.1, words: { '-1': 0 } },
  Q: { variable: 'daily_mean_surface_downwelling_shortwave_flux_in_air', unit: 'J/cm²' },
  // -1 means less than 0.05 mm.
  RH: { variable: 'daily_precipitation_amount', unit: 'mm', factor: 0.1, traces: ['-1'] },
  PG: { variable: 'daily_mean_air_pressure_at_mean_sea_level', unit: 'hPa', factor: 0.1 },
  // 9 means that the sky was not visible.
  NG: { variable: 'daily_mean_cloud_area_fraction', unit: '%', factor: OKTA, missing: ['9'] },
  UG: { variable: 'daily_mean_relative_humidity', unit: '%' },
};
/** Largest number of lines before the table. Files of many stations have a line for each station. */
const PREAMBLE = 200;

/**
 * Daily files of the Koninklijk Nederlands Meteorologisch Instituut: `etmgeg_260.txt`, and replies of the service
 * `daggegevens`. Days are those of UTC.
 */
export const knmiDaily: ImportFormat = {
  name: 'knmi-daily',
  title: 'KNMI, daily file',
  recognize(head) {
    const start = /^(?:# *)?STN *, *YYYYMMDD *,(?! *HH *,)/;
    const line = head.lines.slice(0, PREAMBLE).findIndex((text) => start.test(text)) + 1;
    if (line === 0) return undefined;
    const [, ...others] = head.fields(line, ',');
    const headings = ['STN', ...others];
    if (!headings.some((heading) => Object.hasOwn(ELEMENTS, heading))) return undefined;
    const rows = head.lines.findIndex((text, index) => index >= line && /^ *\d/.test(text));
    return {
      layout: {
        kind: 'delimited',
        delimiter: ',',
        first: (rows === -1 ? line : rows) + 1,
        width: headings.length,
      },
      station: { at: 0, heading: 'STN', identifier: 'knmi' },
      time: { at: [1], headings: ['YYYYMMDD'], formats: ['YYYYMMDD'], zone: 'utc', days: 'all' },
      columns: columnsByHeading(headings, { fields: ELEMENTS, usedFields: [0, 1], reasonOf }),
      notes: [
        'Days are those of UTC. Each row is stored at the end of its date in UTC.',
        'The highest wind speed is the highest mean of an hour (FHX).',
      ],
    };
  },
};

function reasonOf(heading: string): string | undefined {
  if (heading === 'EV24') return 'computed from other values';
  if (/^VV[NX]$/.test(heading)) return 'a class of the visibility';
  if (heading === 'SP') return 'computed from the sunshine';
  if (heading === 'FHVEC') return 'a mean of vectors';
  if (heading.startsWith('T10N')) return 'measured 10 cm above the ground';
  if (/^(?:FH[XN]|FXX|T[NX]|RHX|P[XN]|VV[NX]|U[XN])H$/.test(heading)) return 'the hour of another value';
  if (/^(?:FHN|RHX|P[XN]|U[XN])$/.test(heading)) return 'an extreme of the day';
  return undefined;
}
