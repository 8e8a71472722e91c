import type { ColumnPlan } from '../files/file-plan.js';
import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

const FIELDS: Readonly<Record<string, HeadingField>> = {
  air_temperature: { variable: 'air_temperature', unit: '°C' },
  dewpoint: { variable: 'dew_point_temperature', unit: '°C' },
  rltv_hum: { variable: 'relative_humidity', unit: '%' },
  stn_pres: { variable: 'surface_air_pressure', unit: 'hPa' },
  msl_pressure: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
  wind_speed: { variable: 'wind_speed', unit: 'kt' },
  wind_direction: { variable: 'wind_from_direction', unit: 'degree' },
  mean_wind_speed: { variable: 'wind_speed', unit: 'kt' },
  mean_wind_dir: { variable: 'wind_from_direction', unit: 'degree' },
  max_gust_speed: { variable: 'wind_speed_of_gust', unit: 'kt' },
  prcp_amt: { variable: 'precipitation_amount', unit: 'mm' },
};
/** Columns that are read from rows for 24 hours. The 24 hours mostly end at 09:00. */
const DAILY: Readonly<Record<string, HeadingField>> = {
  max_air_temp: { variable: 'daily_maximum_air_temperature', unit: '°C' },
  min_air_temp: { variable: 'daily_minimum_air_temperature', unit: '°C' },
  prcp_amt: { variable: 'daily_precipitation_amount', unit: 'mm' },
};
const AMOUNT = 'prcp_amt';
const TIMES = new Set(['ob_end_time', 'ob_time']);
/** Largest number of lines of metadata at the start of a file. Files have about 80 such lines, and more if they have many columns. */
const METADATA = 400;

/** MIDAS Open of the Met Office, in BADC-CSV: metadata, the line `data`, headings, rows, the line `end data`. Times are in UTC. */
export const midas: ImportFormat = {
  name: 'midas',
  title: 'Met Office MIDAS Open (BADC-CSV)',
  recognize(head) {
    if (head.lines[0]?.startsWith('Conventions,G,BADC-CSV') !== true) return undefined;
    const data = head.lines.slice(0, METADATA).findIndex((text) => text.trim() === 'data') + 1;
    const headings = head.fields(data + 1, ',');
    const time = headings.findIndex((heading) => TIMES.has(heading));
    const hours = headings.indexOf('ob_hour_count');
    if (data === 0 || time === -1) return undefined;
    return {
      layout: {
        kind: 'delimited',
        delimiter: ',',
        first: data + 2,
        end: 'end data',
        width: headings.length,
      },
      time: {
        at: [time],
        headings: [headings[time] ?? ''],
        formats: ['YYYY-MM-DD HH:mm:ss', 'YYYY-MM-DD HH:mm'],
        zone: 'utc',
      },
      columns: [
        ...columnsByHeading(headings, {
          fields: hours === -1 ? FIELDS : { ...shifts(DAILY, hours, '24'), ...shifts(FIELDS, hours, '1') },
          usedFields: [time, hours],
          reasonOf: (heading) => {
            if (/_[qj]$/.test(heading)) return 'describes the quality';
            return /^(?:max|min)_/.test(heading) ? 'an extreme of a period' : undefined;
          },
        }),
        ...amountOfDay(headings.indexOf(AMOUNT), hours),
      ],
      ...(hours !== -1 && {
        rows: [{ at: hours, keep: ['1', '24'], reason: 'rows of intervals other than an hour and a day' }],
      }),
      missing: ['NA'],
    };
  },
};

/**
 * Restricts fields to the rows whose values are for a given number of hours.
 *
 * @param at position of the field with the number of hours
 */
function shifts(
  fields: Readonly<Record<string, HeadingField>>,
  at: number,
  hours: string,
): Readonly<Record<string, HeadingField>> {
  const when = { at, texts: [hours] };
  return Object.fromEntries(Object.entries(fields).map(([heading, field]) => [heading, { ...field, when }]));
}

/**
 * A second column for the same heading, which reads the daily amounts. It is needed, because the file has hourly and daily
 * amounts in the same column.
 */
function amountOfDay(at: number, hours: number): ColumnPlan[] {
  const field = shifts(DAILY, hours, '24')[AMOUNT];
  return at === -1 || hours === -1 || field === undefined
    ? []
    : [{ kind: 'value', at, heading: AMOUNT, ...field }];
}
