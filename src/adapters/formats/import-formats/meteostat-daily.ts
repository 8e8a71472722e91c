import type { FileHead } from '../files/file-head.js';
import type { ColumnPlan, FileRecord, FileSource } from '../files/file-plan.js';
import { ImportFailure } from '../files/import-failure.js';
import type { Questions } from '../files/questions.js';
import { columnsByHeading, type HeadingField, OKTA } from './by-heading.js';
import { fixedRows } from './fixed-rows.js';
import type { ImportFormat, RecognizedPlan } from './import-format.js';
import { cellOf, fieldOf, headText, jsonOf } from './json-fields.js';

/** A row of a file without headings. */
const ROW = /^\d{4}-\d\d-\d\d(?:,-?\d*(?:\.\d+)?){10}\s*$/;
const SHARED: Readonly<Record<string, HeadingField>> = {
  tmin: { variable: 'daily_minimum_air_temperature', unit: '°C' },
  tmax: { variable: 'daily_maximum_air_temperature', unit: '°C' },
  prcp: { variable: 'daily_precipitation_amount', unit: 'mm' },
  wspd: { variable: 'daily_mean_wind_speed', unit: 'km/h' },
  wpgt: { variable: 'daily_maximum_wind_speed_of_gust', unit: 'km/h' },
  pres: { variable: 'daily_mean_air_pressure_at_mean_sea_level', unit: 'hPa' },
  tsun: { variable: 'daily_duration_of_sunshine', unit: 'min' },
};
/** The fields of a file without headings, in their order, after the date. */
const OLDER = ['tavg', 'tmin', 'tmax', 'prcp', 'snow', 'wdir', 'wspd', 'wpgt', 'pres', 'tsun'];
const OLDER_FIELDS: Readonly<Record<string, HeadingField>> = {
  ...SHARED,
  tavg: { variable: 'daily_mean_air_temperature', unit: '°C' },
  // The depth of snow on the ground.
  snow: { variable: 'daily_surface_snow_thickness', unit: 'mm' },
  wdir: { variable: 'daily_mean_wind_from_direction', unit: 'degree' },
};
/** The fields of a file with headings. */
const FIELDS: Readonly<Record<string, HeadingField>> = {
  ...SHARED,
  temp: { variable: 'daily_mean_air_temperature', unit: '°C' },
  rhum: { variable: 'daily_mean_relative_humidity', unit: '%' },
  snwd: { variable: 'daily_surface_snow_thickness', unit: 'cm' },
  cldc: { variable: 'daily_mean_cloud_area_fraction', unit: '%', factor: OKTA },
};
const SOURCE = '_source';
/** Sources of observations. Other sources are models and forecasts, which fill gaps. */
const OBSERVED = /^(?!.*(?:forecast|model|mosmix))/;
/** The columns of a file without headings and of a reply. */
const OLDER_COLUMNS = OLDER.flatMap((heading, index): ColumnPlan[] => {
  const field = OLDER_FIELDS[heading];
  return field === undefined ? [] : [{ kind: 'value', at: index + 1, heading, ...field }];
});
const NOTE =
  'Each row is stored at the end of its date in standard time. A day begins when it does at the service from which Meteostat has it.';

/** Daily bulk files of Meteostat: 11 columns without headings, or columns with headings and their sources; and replies of its API. */
export const meteostatDaily: ImportFormat = {
  name: 'meteostat-daily',
  title: 'Meteostat, daily bulk data',
  recognize(head, questions) {
    return ofReply(head) ?? withHeadings(head) ?? withoutHeadings(head, questions);
  },
};

function withHeadings(head: FileHead): RecognizedPlan | undefined {
  const headings = head.fields(1, ',');
  const isDate = ['year', 'month', 'day'].every((heading, at) => headings[at] === heading);
  if (!isDate || headings.includes('hour') || !headings.includes(`tmax${SOURCE}`)) return undefined;
  const fields = Object.entries(FIELDS).map(([heading, field]): [string, HeadingField] => {
    const source = headings.indexOf(heading + SOURCE);
    const when = { at: source, matches: OBSERVED, text: 'unless it is from a model or a forecast' };
    return [heading, { ...field, ...(source !== -1 && { when, flags: [source] }) }];
  });
  return {
    layout: { kind: 'delimited', delimiter: ',', first: 2, width: headings.length },
    time: {
      at: [0, 1, 2],
      headings: ['year', 'month', 'day'],
      formats: ['YYYY M D'],
      zone: 'station-standard',
      days: 'all',
    },
    columns: columnsByHeading(headings, {
      fields: Object.fromEntries(fields),
      usedFields: [0, 1, 2],
      reasonOf: (heading) => (heading.endsWith(SOURCE) ? 'describes a value' : undefined),
    }),
    notes: [NOTE, 'Values with which Meteostat has filled gaps, from models and forecasts, are left out.'],
  };
}

function withoutHeadings(head: FileHead, questions: Questions): RecognizedPlan | undefined {
  if (fixedRows(head, ROW, questions, 'meteostat-daily').length === 0) return undefined;
  return {
    layout: { kind: 'delimited', delimiter: ',', first: 1, width: OLDER.length + 1 },
    time: {
      at: [0],
      headings: ['date'],
      formats: ['YYYY-MM-DD'],
      zone: 'station-standard',
      days: 'all',
    },
    columns: OLDER_COLUMNS,
    notes: [NOTE],
  };
}

/** The plan of a reply of the API: a list `data` of objects with a date. Its fields are those of a file without headings. */
function ofReply(head: FileHead): RecognizedPlan | undefined {
  if (head.kind !== 'text') return undefined;
  const text = headText(head.bytes);
  const isReply = /^\s*\{\s*"(?:meta|data)"\s*:/.test(text);
  if (!isReply || !['date', 'tavg', 'tmin', 'tmax'].every((name) => text.includes(`"${name}"`)))
    return undefined;
  return {
    title: 'Meteostat, daily reply of its API',
    layout: { kind: 'own', records: replyRecords },
    time: { at: [0], headings: ['date'], formats: ['YYYY-MM-DD'], zone: 'station-standard', days: 'all' },
    columns: OLDER_COLUMNS,
    notes: [
      NOTE,
      'Units are metric, which is the default of the API. A reply in other units does not say so, and must not be imported.',
    ],
  };
}

async function* replyRecords(source: FileSource): AsyncGenerator<readonly FileRecord[]> {
  const days = fieldOf(await jsonOf(source), 'data');
  if (!Array.isArray(days)) throw new ImportFailure('The file has no list "data".');
  yield days.map((day: unknown, index): FileRecord => ({
    line: index + 1,
    // Older replies have a time of day behind the date.
    fields: [
      cellOf(fieldOf(day, 'date')).slice(0, 'YYYY-MM-DD'.length),
      ...OLDER.map((name) => cellOf(fieldOf(day, name))),
    ],
  }));
}
