import type { ColumnPlan } from '../files/file-plan.js';
import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat, RecognizedPlan } from './import-format.js';

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
/** The columns of daily rain: the date and the time at which the amount ends, such as 900, and the number of its days. */
const RAIN = { date: 'ob_date', time: 'ob_end_ctime', days: 'ob_day_cnt' } as const;
/** Quality codes have five digits, of which leading zeros are not written. The first is 1 for a trace, and 3 for one that is accumulated. */
const TRACE = /^[13]\d{4}$/;
/** The endings of columns with the quality code and the descriptor of a value. */
const ABOUT = ['_q', '_j'];
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
    if (data === 0) return undefined;
    const layout = {
      kind: 'delimited',
      delimiter: ',',
      first: data + 2,
      end: 'end data',
      width: headings.length,
    } as const;
    if (Object.values(RAIN).every((heading) => headings.includes(heading))) {
      return dailyRain(headings, layout);
    }
    if (time === -1) return undefined;
    return {
      layout,
      time: {
        at: [time],
        headings: [headings[time] ?? ''],
        formats: ['YYYY-MM-DD HH:mm:ss', 'YYYY-MM-DD HH:mm'],
        zone: 'utc',
      },
      columns: [
        ...columnsByHeading(headings, {
          fields:
            hours === -1
              ? FIELDS
              : { ...shifts(withFlags(DAILY, headings), hours, '24'), ...shifts(FIELDS, hours, '1') },
          usedFields: [time, hours],
          reasonOf,
        }),
        ...amountOfDay(headings, hours),
      ],
      ...(hours !== -1 && {
        rows: [{ at: hours, keep: ['1', '24'], reason: 'rows of intervals other than an hour and a day' }],
        notes: ['Values of 24 hours are stored at the end of the 24 hours, mostly at 09:00 UTC.'],
      }),
      missing: ['NA'],
    };
  },
};

/** The plan of a file of daily rain. Amounts of several days are stored at the end of the last day. */
function dailyRain(headings: readonly string[], layout: RecognizedPlan['layout']): RecognizedPlan {
  const [date, time, days] = [RAIN.date, RAIN.time, RAIN.days].map((heading) =>
    headings.indexOf(heading),
  ) as [number, number, number];
  const amount = withFlags(DAILY, headings)[AMOUNT] as HeadingField;
  const at = headings.indexOf(AMOUNT);
  const several = { at: days, not: ['', 'NA', '0', '1'] };
  const own = columnsByHeading(headings, {
    fields: { [AMOUNT]: { ...amount, when: { at: days, texts: ['1'] } } },
    usedFields: [date, time, days],
    reasonOf,
  });
  const total = { variable: 'multiday_precipitation_amount', unit: 'mm', flags: amount.flags ?? [] };
  const number = { variable: 'multiday_precipitation_days', unit: '1' };
  return {
    title: 'Met Office MIDAS Open (BADC-CSV), daily rain',
    layout,
    time: {
      at: [date, time],
      headings: [RAIN.date, RAIN.time],
      formats: ['YYYY-MM-DD Hmm', 'YYYY-MM-DD [00:00:00] Hmm', 'YYYY-MM-DD [00:00] Hmm'],
      zone: 'utc',
    },
    columns: [
      ...own,
      { kind: 'value', at, heading: AMOUNT, ...total, when: several },
      { kind: 'value', at: days, heading: RAIN.days, ...number, when: several },
    ],
    missing: ['NA'],
    notes: [
      'Each amount is stored at the end of its 24 hours, mostly at 09:00 UTC, or of the last of its days.',
    ],
  };
}

function reasonOf(heading: string): string | undefined {
  if (ABOUT.some((ending) => heading.endsWith(ending))) return 'describes the quality';
  return /^(?:max|min)_/.test(heading) ? 'an extreme of a period' : undefined;
}

/** Daily values with their quality codes and descriptors as flags. */
function withFlags(
  fields: Readonly<Record<string, HeadingField>>,
  headings: readonly string[],
): Readonly<Record<string, HeadingField>> {
  return Object.fromEntries(
    Object.entries(fields).map(([heading, field]) => {
      const flags = ABOUT.map((ending) => headings.indexOf(heading + ending)).filter((at) => at !== -1);
      const quality = headings.indexOf(`${heading}_q`);
      const traceWhen = { at: quality, matches: TRACE, text: 'a trace' };
      return [heading, { ...field, flags, ...(heading === AMOUNT && quality !== -1 && { traceWhen }) }];
    }),
  );
}

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
function amountOfDay(headings: readonly string[], hours: number): ColumnPlan[] {
  const at = headings.indexOf(AMOUNT);
  const field = shifts(withFlags(DAILY, headings), hours, '24')[AMOUNT];
  return at === -1 || hours === -1 || field === undefined
    ? []
    : [{ kind: 'value', at, heading: AMOUNT, ...field }];
}
