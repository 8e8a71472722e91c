import { MILLISECONDS } from '#domain/time.js';
import type { FileHead } from '../files/file-head.js';
import type { ColumnPlan, RowCondition, FileRecord, FileSource, TimePlan } from '../files/file-plan.js';
import { linesOf } from '../text/line-reader.js';
import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { RecognizedPlan, ImportFormat } from './import-format.js';

/** A unit in the files of the archive, and in files that people order from NOAA with metric units or with US units. */
type Units = readonly [own: string, metric?: string, us?: string];

const CELSIUS: Units = ['°C', '°C', '°F'];
const MILLIMETERS: Units = ['mm', 'mm', 'in'];
const METERS_PER_SECOND: Units = ['m/s', 'm/s', 'mph'];
const PERCENT: Units = ['%', '%', '%'];
const DAYS: Units = ['1', '1', '1'];

/**
 * Elements with their variable and their units. NOAA does not say the units of some elements in ordered files, so these elements are
 * read from the archive only. The elements for the time from sunrise to sunset (ACSC, ACSH) are not values of a day.
 */
const ELEMENTS: Readonly<Record<string, readonly [variable: string, units: Units]>> = {
  TMAX: ['daily_maximum_air_temperature', CELSIUS],
  TMIN: ['daily_minimum_air_temperature', CELSIUS],
  TAVG: ['daily_mean_air_temperature', CELSIUS],
  PRCP: ['daily_precipitation_amount', MILLIMETERS],
  SNOW: ['daily_thickness_of_snowfall_amount', MILLIMETERS],
  SNWD: ['daily_surface_snow_thickness', MILLIMETERS],
  // Amounts of several days, and the number of these days.
  MDPR: ['multiday_precipitation_amount', MILLIMETERS],
  DAPR: ['multiday_precipitation_days', DAYS],
  MDSF: ['multiday_thickness_of_snowfall_amount', MILLIMETERS],
  DASF: ['multiday_snowfall_days', DAYS],
  AWND: ['daily_mean_wind_speed', METERS_PER_SECOND],
  AWDR: ['daily_mean_wind_from_direction', ['degree', 'degree', 'degree']],
  // The fastest two-minute wind.
  WSF2: ['daily_maximum_wind_speed', METERS_PER_SECOND],
  // WSF5 is the fastest five-second wind, WSFG the peak gust.
  WSF5: ['daily_maximum_wind_speed_of_gust', METERS_PER_SECOND],
  WSFG: ['daily_maximum_wind_speed_of_gust', METERS_PER_SECOND],
  TSUN: ['daily_duration_of_sunshine', ['min', 'min', 'min']],
  // Clouds from midnight to midnight, from a ceilometer (ACMC) or an observer (ACMH).
  ACMC: ['daily_mean_cloud_area_fraction', PERCENT],
  ACMH: ['daily_mean_cloud_area_fraction', PERCENT],
  RHAV: ['daily_mean_relative_humidity', PERCENT],
  ADPT: ['daily_mean_dew_point_temperature', ['°C']],
  ASTP: ['daily_mean_surface_air_pressure', ['hPa']],
  ASLP: ['daily_mean_air_pressure_at_mean_sea_level', ['hPa']],
};
/** Elements that the archive has in whole units. The archive has all other elements in tenths. */
const WHOLE = new Set(['SNOW', 'SNWD', 'DAPR', 'MDSF', 'DASF', 'AWDR', 'TSUN', 'ACMC', 'ACMH', 'RHAV']);
/** Elements whose values may be traces. */
const WITH_TRACES = new Set(['PRCP', 'SNOW', 'SNWD']);

/** The checks of NOAA by their quality flag. Source: readme.txt of GHCN-Daily, QFLAG. */
const CHECKS = {
  D: 'duplicate',
  G: 'gap',
  I: 'internal consistency',
  K: 'streak or frequent value',
  L: 'length of a multiday period',
  M: 'mega-consistency',
  N: 'naught',
  O: 'climatological outlier',
  R: 'lagged range',
  S: 'spatial consistency',
  T: 'temporal consistency',
  W: 'too warm for snow',
  X: 'bounds',
  Z: 'official Datzilla investigation',
};
const REASONS = Object.fromEntries(
  Object.entries(CHECKS).map(([flag, check]) => [flag, `failed a check of NOAA: ${check} (flag ${flag})`]),
);

/** A row in a file of a year or a station: station, date, element, value, three flags and the time of observation. */
const ROW = /^[A-Z]{2}[A-Z0-9_-]{9},\d{8},[A-Z0-9]{4},-?\d+,[^,]?,[^,]?,[^,]?,\d{0,4}$/;
/** A row in a `.dly` file: station, month, element, and 31 times a value with three flags. */
const MONTH = /^[A-Z]{2}[A-Z0-9_-]{9}\d{6}[A-Z0-9]{4}(?:[ \d-]{5}...){28,31}\s*$/;
const SAMPLE = 20;
const MISSING = '-9999';
/** The suffix of columns with flags: `T` for a trace, the failed check, the source, and in some files the time of observation. */
const ATTRIBUTES = '_ATTRIBUTES';
const FAILED = /^[^,]?,([A-Z])/;
const TRACE = /^T,/;
/** Positions of the fields of `ROW`. */
const AT = {
  station: 0,
  date: 1,
  element: 2,
  value: 3,
  measurement: 4,
  quality: 5,
  source: 6,
  observed: 7,
} as const;
/** Index of the time of observation in a column of flags. */
const OBSERVED = 3;

const NOTES = [
  'Values are stored at the end of the day to which the file assigns them, whatever the time of observation.',
  'Values that failed a check of NOAA are stored and marked as bad, with the check as the reason. The flags of all values are kept.',
];

/** GHCN-Daily of NOAA: files of stations with a column for each element, files with a row for each value, and `.dly`. */
export const ghcnDaily: ImportFormat = {
  name: 'ghcn-daily',
  title: 'NOAA GHCN-Daily',
  recognize(head, questions) {
    const lines = head.lines.slice(0, SAMPLE);
    const areAll = (form: RegExp) => lines.length > 0 && lines.every((line) => form.test(line));
    if (areAll(ROW)) return longPlan({ kind: 'delimited', delimiter: ',', first: 1, width: 8 });
    if (areAll(MONTH)) return longPlan({ kind: 'own', records: monthRecords });
    const headings = head.fields(1, ',');
    const [station, date] = [headings.indexOf('STATION'), headings.indexOf('DATE')];
    const has = (name: string) => headings.includes(name);
    if (station === -1 || date === -1 || !(has('PRCP') || (has('TMAX') && has('TMIN')))) return undefined;
    // Files of GSOD have a column PRCP too.
    if (has('FRSHTT')) return undefined;
    if (!head.samples(date, 2, ',').every((text) => /^\d{4}-\d\d-\d\d$/.test(text))) return undefined;
    const system = areTenths(head, headings) ? 'own' : questions.unit('temperature', ['°C', '°F']);
    return {
      layout: { kind: 'delimited', delimiter: ',', first: 2, width: headings.length },
      station: { at: station, heading: 'STATION', identifier: 'ghcn' },
      time: timeAt(date, 'DATE', 'YYYY-MM-DD'),
      observationTime: { at: flagColumns(headings), part: OBSERVED },
      columns: columnsIn(headings, fieldsIn(system, headings), [station, date]),
      missing: [MISSING],
      notes: NOTES,
    };
  },
};

/**
 * Whether values are in tenths. Files of the archive have integers, which are tenths. Files that people order from NOAA have
 * decimals, at least in amounts of rain.
 */
function areTenths(head: FileHead, headings: readonly string[]): boolean {
  const samples = head.samples(headings.indexOf('PRCP'), 2, ',');
  return (
    headings.includes(`PRCP${ATTRIBUTES}`) &&
    samples.length > 0 &&
    samples.every((text) => !text.includes('.'))
  );
}

/** Positions of the columns of flags, in the order of `ELEMENTS`. */
function flagColumns(headings: readonly string[]): number[] {
  return Object.keys(ELEMENTS).flatMap((element) => {
    const at = headings.indexOf(element + ATTRIBUTES);
    return at === -1 ? [] : [at];
  });
}

/** The columns of a file of stations. A second element of a variable is read on the days on which the first one has no value. */
function columnsIn(
  headings: readonly string[],
  fields: Readonly<Record<string, HeadingField>>,
  usedFields: readonly number[],
): readonly ColumnPlan[] {
  const reasonOf = (heading: string) => {
    if (heading.endsWith(ATTRIBUTES)) return 'describes a value';
    return /^(?:NAME|LATITUDE|LONGITUDE|ELEVATION)$/.test(heading) ? 'describes the station' : undefined;
  };
  const columns = columnsByHeading(headings, { fields, usedFields, reasonOf });
  return columns.map((column) => {
    const field = fields[column.heading];
    if (column.kind !== 'left out' || field === undefined) return column;
    const first = columns.find((other) => other.kind === 'value' && other.variable === field.variable);
    const when = { at: first?.at ?? column.at, texts: ['', MISSING] };
    return { kind: 'value', at: column.at, heading: column.heading, ...field, when };
  });
}

function fieldsIn(
  system: 'own' | '°C' | '°F',
  headings: readonly string[],
): Readonly<Record<string, HeadingField>> {
  const unitAt = { own: 0, '°C': 1, '°F': 2 } as const;
  const fields = Object.entries(ELEMENTS).flatMap(
    ([element, [variable, units]]): [string, HeadingField][] => {
      const unit = units[unitAt[system]];
      if (unit === undefined) return [];
      const at = headings.indexOf(element + ATTRIBUTES);
      const factor = system === 'own' && !WHOLE.has(element) ? { factor: 0.1 } : {};
      const flags =
        at === -1
          ? {}
          : {
              flags: [at],
              failed: { when: { at, matches: FAILED, text: 'failed a check of NOAA' }, reason: REASONS },
              ...traceWhen(element, { at, matches: TRACE, text: 'a trace' }),
            };
      return [[element, { variable, unit, ...factor, ...flags }]];
    },
  );
  return Object.fromEntries(fields);
}

function traceWhen(element: string, when: RowCondition): { readonly traceWhen?: RowCondition } {
  return WITH_TRACES.has(element) ? { traceWhen: when } : {};
}

/** The plan of a file with a row for each value. */
function longPlan(layout: RecognizedPlan['layout']): RecognizedPlan {
  return {
    layout,
    station: { at: AT.station, heading: 'ID', identifier: 'ghcn' },
    time: timeAt(AT.date, 'DATE', 'YYYYMMDD'),
    observationTime: { at: [AT.observed] },
    long: { name: AT.element, value: AT.value },
    columns: Object.entries(ELEMENTS).map(([element, [variable, [unit]]]): ColumnPlan => ({
      kind: 'value',
      at: AT.value,
      heading: element,
      variable,
      unit,
      ...(!WHOLE.has(element) && { factor: 0.1 }),
      when: { at: AT.element, texts: [element] },
      ...traceWhen(element, { at: AT.measurement, texts: ['T'] }),
      flags: [AT.measurement, AT.quality, AT.source],
      failed: { when: { at: AT.quality, not: [''] }, reason: REASONS },
    })),
    missing: [MISSING],
    notes: NOTES,
  };
}

function timeAt(at: number, heading: string, format: string): TimePlan {
  const interval = MILLISECONDS.day / MILLISECONDS.second;
  return { at: [at], headings: [heading], formats: [format], zone: 'station-standard', interval };
}

/** Converts the values of a `.dly` file to the form of `ROW`. Each month has 31 days; days that do not exist have missing values. */
async function* monthRecords(source: FileSource): AsyncGenerator<readonly FileRecord[]> {
  for await (const { text, number: line } of linesOf(source.text())) {
    if (text.trim() === '') continue;
    if (!MONTH.test(text)) {
      yield [{ line, fields: [], fault: 'is not a month in the format of GHCN-Daily' }];
      continue;
    }
    const [station, month, element] = [text.slice(0, 11), text.slice(11, 17), text.slice(17, 21)];
    const records: FileRecord[] = [];
    for (let day = 1; day <= 31; day += 1) {
      const at = 13 + 8 * day;
      const value = text.slice(at, at + 5).trim();
      if (value === MISSING || value === '') continue;
      const date = `${month}${String(day).padStart(2, '0')}`;
      const flags = [at + 5, at + 6, at + 7].map((flag) => text.charAt(flag).trim());
      records.push({ line, fields: [station, date, element, value, ...flags] });
    }
    yield records;
  }
}
