import type { FileHead } from '../files/file-head.js';
import { columnsByHeading, type HeadingField, OKTA } from './by-heading.js';
import type { ImportFormat, RecognizedPlan } from './import-format.js';

/** A quality level of the columns behind it. */
const QUALITY = 'QN_';
/** An amount of precipitation with the heading of the form of the precipitation. */
const FORMS: Readonly<Record<string, string>> = { RSK: 'RSKF', RS: 'RSF' };
/**
 * Forms of precipitation that was observed: 1 and 6 are rain, 7 is snow, 8 is both, and 4 is unknown. 0 means that there was no
 * precipitation, and 9 that the form is missing.
 */
const OBSERVED = ['1', '4', '6', '7', '8'];
/** Parameters of the daily products, by their names in the files. */
const FIELDS: Readonly<Record<string, HeadingField>> = {
  FX: { variable: 'daily_maximum_wind_speed_of_gust', unit: 'm/s' },
  FM: { variable: 'daily_mean_wind_speed', unit: 'm/s' },
  RSK: { variable: 'daily_precipitation_amount', unit: 'mm' },
  SDK: { variable: 'daily_duration_of_sunshine', unit: 'h' },
  SHK_TAG: { variable: 'daily_surface_snow_thickness', unit: 'cm' },
  NM: { variable: 'daily_mean_cloud_area_fraction', unit: '%', factor: OKTA },
  PM: { variable: 'daily_mean_surface_air_pressure', unit: 'hPa' },
  TMK: { variable: 'daily_mean_air_temperature', unit: '°C' },
  UPM: { variable: 'daily_mean_relative_humidity', unit: '%' },
  TXK: { variable: 'daily_maximum_air_temperature', unit: '°C' },
  TNK: { variable: 'daily_minimum_air_temperature', unit: '°C' },
  RS: { variable: 'daily_precipitation_amount', unit: 'mm' },
  SH_TAG: { variable: 'daily_surface_snow_thickness', unit: 'cm' },
  NSH_TAG: { variable: 'daily_thickness_of_snowfall_amount', unit: 'cm' },
};

/**
 * Daily products of the Climate Data Center of the Deutscher Wetterdienst: `produkt_klima_tag_….txt` (KL) and
 * `produkt_nieder_tag_….txt` (RR, precipitation and snow).
 */
export const dwdDaily: ImportFormat = {
  name: 'dwd-daily',
  title: 'Deutscher Wetterdienst, daily product',
  recognize(head) {
    const headings = head.fields(1, ';');
    if (headings[0] !== 'STATIONS_ID' || headings[1] !== 'MESS_DATUM' || headings.at(-1) !== 'eor')
      return undefined;
    return isDaily(head) ? planOf(headings) : undefined;
  },
};

/** Hourly products have the hour in the same column. */
function isDaily(head: FileHead): boolean {
  return /^\d{8}$/.test(head.fields(2, ';')[1] ?? '');
}

function planOf(headings: readonly string[]): RecognizedPlan {
  return {
    layout: { kind: 'delimited', delimiter: ';', first: 2, width: headings.length },
    station: { at: 0, heading: 'STATIONS_ID', identifier: 'dwd' },
    time: { at: [1], headings: ['MESS_DATUM'], formats: ['YYYYMMDD'], zone: 'utc', days: 'all' },
    columns: columnsByHeading(headings, {
      fields: Object.fromEntries(
        headings.flatMap((heading, at): [string, HeadingField][] => {
          const field = Object.hasOwn(FIELDS, heading) ? FIELDS[heading] : undefined;
          if (field === undefined) return [];
          const form = headings.indexOf(FORMS[heading] ?? '');
          const traceWhen = { at: form, texts: OBSERVED };
          const level = headings.findLastIndex((name, index) => index < at && name.startsWith(QUALITY));
          const flags = level === -1 ? {} : { flags: [level] };
          return [[heading, { ...field, ...flags, ...(form !== -1 && { traceWhen }) }]];
        }),
      ),
      usedFields: [0, 1, headings.length - 1],
      reasonOf,
    }),
    missing: ['-999'],
    notes: [
      'Days are those of UTC since April 2001, and those of the observers before. Each row is stored at the end of its date in UTC.',
      'The precipitation of a date is that of the 24 hours that begin at about 06:00 UTC. An amount of 0 with an observed form is a trace.',
    ],
  };
}

function reasonOf(heading: string): string | undefined {
  if (heading.startsWith(QUALITY)) return 'describes the quality';
  if (Object.values(FORMS).includes(heading)) return 'describes the precipitation';
  return heading === 'TGK' ? 'measured 5 cm above the ground' : undefined;
}
