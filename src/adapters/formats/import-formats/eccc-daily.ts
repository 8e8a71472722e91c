import { MILLISECONDS } from '#domain/time.js';
import { traceVariableOf, variableNamed } from '#domain/weather/variables.js';
import type { ColumnPlan } from '../files/file-plan.js';
import { columnsByHeading, headingsBelow, type HeadingField } from './by-heading.js';
import { changedRows } from './changed-rows.js';
import type { ImportFormat } from './import-format.js';

const FLAG = ' Flag';
/** The flag of a row, for example of preliminary data and of data of partners. */
const ROW_FLAG = 'Data Quality';
/** The unit at the end of a heading. */
const UNIT = / ?\((?:°C|cm|mm|km\/h|10s deg)\)$/;
const FIELDS: Readonly<Record<string, HeadingField>> = {
  'Max Temp (°C)': { variable: 'daily_maximum_air_temperature', unit: '°C' },
  'Min Temp (°C)': { variable: 'daily_minimum_air_temperature', unit: '°C' },
  'Total Snow (cm)': { variable: 'daily_thickness_of_snowfall_amount', unit: 'cm' },
  'Total Precip (mm)': { variable: 'daily_precipitation_amount', unit: 'mm' },
  'Snow on Grnd (cm)': { variable: 'daily_surface_snow_thickness', unit: 'cm' },
  // Speeds below 31 km/h are not reported.
  'Spd of Max Gust (km/h)': {
    variable: 'daily_maximum_wind_speed_of_gust',
    unit: 'km/h',
    missing: ['<31'],
  },
};
/** Amounts that may be of several days. */
const AMOUNTS: Readonly<Record<string, readonly [amount: string, days: string]>> = {
  'Total Snow (cm)': ['multiday_thickness_of_snowfall_amount', 'multiday_snowfall_days'],
  'Total Precip (mm)': ['multiday_precipitation_amount', 'multiday_precipitation_days'],
};
const TRACE = ['T'];
/** Flags of the last of several days, which has their amount: accumulated, and accumulated and estimated. */
const ACCUMULATED = ['A', 'F'];
/** Flags of the days before it, whose amounts are unknown: precipitation occurred, or may have occurred. */
const UNCERTAIN = ['C', 'L'];
/** Headings that all daily files have. */
const SIGNATURE = ['Date/Time', 'Max Temp (°C)', 'Min Temp (°C)', 'Total Precip (mm)'];
/** French headings and the English ones. A French file has decimal commas. */
const FRENCH: Readonly<Record<string, string>> = {
  'Nom de la Station': 'Station Name',
  'ID climatologique': 'Climate ID',
  'Date/Heure': 'Date/Time',
  Année: 'Year',
  Mois: 'Month',
  Jour: 'Day',
  'Qualité des Données': ROW_FLAG,
  ...withFlags({
    'Temp max.(°C)': 'Max Temp (°C)',
    'Temp min.(°C)': 'Min Temp (°C)',
    'Temp moy.(°C)': 'Mean Temp (°C)',
    'DJC (°C)': 'Heat Deg Days (°C)',
    'DJR (°C)': 'Cool Deg Days (°C)',
    'Pluie tot. (mm)': 'Total Rain (mm)',
    'Neige tot. (cm)': 'Total Snow (cm)',
    'Précip. tot. (mm)': 'Total Precip (mm)',
    'Neige au sol (cm)': 'Snow on Grnd (cm)',
    'Dir. raf. max. (10s deg)': 'Dir of Max Gust (10s deg)',
    'Vit. raf. max. (km/h)': 'Spd of Max Gust (km/h)',
  }),
};
const FRENCH_SIGNATURE = Object.keys(FRENCH).filter((heading) => SIGNATURE.includes(FRENCH[heading] ?? ''));

/**
 * Daily climate data of Environment and Climate Change Canada, in English and French. Files before 2019 have a legend before the
 * table, and no column with the station.
 */
export const ecccDaily: ImportFormat = {
  name: 'eccc-daily',
  title: 'Environment Canada, daily climate data',
  recognize(head) {
    const english = headingsBelow(head, SIGNATURE);
    const table = english ?? headingsBelow(head, FRENCH_SIGNATURE);
    if (table === undefined) return undefined;
    const { line, headings: written } = table;
    const headings = written.map((heading) =>
      Object.hasOwn(FRENCH, heading) ? (FRENCH[heading] as string) : heading,
    );
    const [id, date] = [headings.indexOf('Climate ID'), headings.indexOf('Date/Time')];
    const amounts = Object.keys(AMOUNTS).filter((heading) => headings.includes(heading));
    return {
      decimal: english === undefined ? ',' : '.',
      layout: {
        kind: 'own',
        records: (source) => {
          const flags = amounts.map((heading) => flagOf(heading, headings));
          return changedRows({ source, first: line + 1, width: headings.length }, withDays(date, flags));
        },
      },
      ...(id !== -1 && { station: { at: id, heading: written[id] ?? '', identifier: 'climate_id' } }),
      time: {
        at: [date],
        headings: [written[date] ?? ''],
        formats: ['YYYY-MM-DD', 'YYYY-M-D'],
        zone: 'station-standard',
        days: 'all',
      },
      columns: [
        ...columnsByHeading(headings, {
          fields: Object.fromEntries(
            Object.keys(FIELDS).map((heading) => [heading, flagged(heading, headings)]),
          ),
          usedFields: [id, date],
          reasonOf,
        }),
        ...amounts.flatMap((heading, index) => severalDays(heading, headings, headings.length + index)),
      ].map((column) => ({ ...column, heading: written[column.at] ?? column.heading })),
      notes: [
        'Each row is stored at the end of its date in standard time. Its climatological day ends at 06:00 UTC of the next day at stations that observe all day, since July 1961, and in the morning at most others.',
        'Amounts of several days (flags A and F) are stored for their last day. The days before it have no amount (flags C and L).',
        'Gusts below 31 km/h have no value in the file.',
      ],
    };
  },
};

/** Headings with those of their flags, in French and English. */
function withFlags(headings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const flags = Object.entries(headings).map(([french, english]) => [
    french.replace(UNIT, ' Indicateur'),
    english.replace(UNIT, FLAG),
  ]);
  return { ...headings, ...Object.fromEntries(flags) };
}

/** A column with its flag. All columns of a row also have the flag of the row. */
function flagged(heading: string, headings: readonly string[]): HeadingField {
  const field = FIELDS[heading] as HeadingField;
  const at = flagOf(heading, headings);
  const flags = [at, headings.indexOf(ROW_FLAG)].filter((place) => place !== -1);
  if (at === -1 || !isTraced(field)) return { ...field, flags };
  const traceWhen = { at, texts: TRACE };
  const when = { at, not: [...ACCUMULATED, ...UNCERTAIN] };
  return { ...field, flags, traceWhen, ...(Object.hasOwn(AMOUNTS, heading) && { when }) };
}

function isTraced({ variable }: HeadingField): boolean {
  return traceVariableOf(variableNamed(variable)?.number ?? 0) !== undefined;
}

/** The position of the flag of a column; -1 if there is none. */
function flagOf(heading: string, headings: readonly string[]): number {
  return headings.indexOf(heading.replace(UNIT, FLAG));
}

/** The columns of an amount of several days and of their number. @param days position of the number of days */
function severalDays(heading: string, headings: readonly string[], days: number): ColumnPlan[] {
  const { unit, flags = [], when: daily } = flagged(heading, headings);
  const variables = AMOUNTS[heading];
  if (variables === undefined || daily === undefined) return [];
  const [amount, number] = variables;
  const when = { at: daily.at, texts: ACCUMULATED };
  return [
    { kind: 'value', at: headings.indexOf(heading), heading, variable: amount, unit, when, flags },
    {
      kind: 'value',
      at: days,
      heading: `days of ${heading.replace(UNIT, '')}`,
      variable: number,
      unit: '1',
      when,
    },
  ];
}

/**
 * Returns a function that appends the numbers of days of its amounts to a row: one field for each flag. A row with an accumulated
 * amount has the number of days with an uncertain amount directly before it, and itself. The field of other rows is empty, and so
 * is the number if no such day is before the row, or if the date of one of the rows before it cannot be read.
 *
 * @param date position of the date
 * @param flags positions of the flags of the amounts
 */
function withDays(date: number, flags: readonly number[]): (fields: readonly string[]) => readonly string[] {
  const runs = flags.map(() => 0);
  let before: number | undefined;
  return (fields) => {
    const day = Date.parse(`${fields[date]?.trim() ?? ''}T00:00Z`);
    const isNext = before !== undefined && day - before === MILLISECONDS.day;
    const isAfterUnreadable = Number.isNaN(before);
    before = day;
    const days = flags.map((flag, index) => {
      const text = fields[flag]?.trim() ?? '';
      const run = isNext ? (runs[index] as number) : isAfterUnreadable ? Number.NaN : 0;
      runs[index] = UNCERTAIN.includes(text) ? run + 1 : 0;
      return ACCUMULATED.includes(text) && run > 0 ? String(run + 1) : '';
    });
    return [...fields, ...days];
  };
}

function reasonOf(heading: string): string | undefined {
  if (heading.endsWith(FLAG) || heading === ROW_FLAG) return 'describes a value';
  if (heading.startsWith('Mean Temp')) return 'computed from the extremes';
  if (/^(?:Heat|Cool) Deg Days/.test(heading)) return 'computed from the temperature';
  if (heading.startsWith('Total Rain')) return 'a part of the precipitation';
  if (heading.startsWith('Dir of Max Gust')) return 'the service has no direction of the highest gust';
  if (/^(?:Year|Month|Day)$/.test(heading)) return 'the same time again';
  if (/^(?:Longitude|Latitude|Station Name)/.test(heading)) return 'describes the station';
  return undefined;
}
