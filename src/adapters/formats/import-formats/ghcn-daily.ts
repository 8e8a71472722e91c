import { MILLISECONDS } from '#domain/time.js';
import type { FileHead } from '../files/file-head.js';
import type { ColumnPlan, RowCondition, FileRecord, FileSource, TimePlan } from '../files/file-plan.js';
import { linesOf } from '../text/line-reader.js';
import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { RecognizedPlan, ImportFormat } from './import-format.js';

/**
 * Elements with their variable and their units. `own` is the unit in the files of the archive. `metric` and `us` are the units in
 * files that people order from NOAA, with metric units or with US units.
 */
const ELEMENTS: Readonly<
  Record<string, readonly [variable: string, own: string, metric: string, us: string]>
> = {
  TMAX: ['daily_maximum_air_temperature', '°C', '°C', '°F'],
  TMIN: ['daily_minimum_air_temperature', '°C', '°C', '°F'],
  TAVG: ['daily_mean_air_temperature', '°C', '°C', '°F'],
  PRCP: ['daily_precipitation_amount', 'mm', 'mm', 'in'],
  SNOW: ['daily_thickness_of_snowfall_amount', 'mm', 'mm', 'in'],
  SNWD: ['surface_snow_thickness', 'mm', 'mm', 'in'],
  // WSF5 is the fastest five-second wind, WSFG the peak gust.
  WSF5: ['daily_maximum_wind_speed_of_gust', 'm/s', 'm/s', 'mph'],
  WSFG: ['daily_maximum_wind_speed_of_gust', 'm/s', 'm/s', 'mph'],
};
/** Elements that the archive has in whole mm. The archive has all other elements in tenths. */
const WHOLE = new Set(['SNOW', 'SNWD']);

/** A row in a file of a year or a station: station, date, element, value, three flags and the time of observation. */
const ROW = /^[A-Z]{2}[A-Z0-9_-]{9},\d{8},[A-Z0-9]{4},-?\d+,[^,]?,[^,]?,[^,]?,\d{0,4}$/;
/** A row in a `.dly` file: station, month, element, and 31 times a value with three flags. */
const MONTH = /^[A-Z]{2}[A-Z0-9_-]{9}\d{6}[A-Z0-9]{4}(?:[ \d-]{5}...){28,31}\s*$/;
const SAMPLE = 20;
const MISSING = '-9999';
/** The suffix of columns with flags: `T` for a trace, the failed check, the source, and in some files the time of observation. */
const ATTRIBUTES = '_ATTRIBUTES';
const PASSED = /^(?:[^,]?,,.*)?$/;
const TRACE = /^T,/;
/** Positions of the fields of `ROW`. */
const AT = { station: 0, date: 1, element: 2, value: 3, measurement: 4, failed: 5, observed: 7 } as const;
/** Index of the time of observation in a column of flags. */
const OBSERVED = 3;

const NOTES = [
  'Values are stored at the end of the day to which the file assigns them, whatever the time of observation.',
  'Values that failed a check of NOAA are left out.',
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
      columns: columnsByHeading(headings, {
        fields: fieldsIn(system, headings),
        usedFields: [station, date],
        reasonOf: (heading) => {
          if (heading.endsWith(ATTRIBUTES)) return 'describes a value';
          return /^(?:NAME|LATITUDE|LONGITUDE|ELEVATION)$/.test(heading)
            ? 'describes the station'
            : undefined;
        },
      }),
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

function fieldsIn(
  system: 'own' | '°C' | '°F',
  headings: readonly string[],
): Readonly<Record<string, HeadingField>> {
  const unitAt = { own: 1, '°C': 2, '°F': 3 } as const;
  const fields = Object.entries(ELEMENTS).map(([element, names]): [string, HeadingField] => {
    const at = headings.indexOf(element + ATTRIBUTES);
    const unit = names[unitAt[system]];
    const factor = system === 'own' && !WHOLE.has(element) ? { factor: 0.1 } : {};
    const flags =
      at === -1
        ? {}
        : {
            when: { at, matches: PASSED, text: 'unless it failed a check of NOAA' },
            ...traceWhen(element, { at, matches: TRACE, text: 'a trace' }),
          };
    return [element, { variable: names[0], unit, ...factor, ...flags }];
  });
  return Object.fromEntries(fields);
}

function traceWhen(element: string, when: RowCondition): { readonly traceWhen?: RowCondition } {
  return element === 'PRCP' ? { traceWhen: when } : {};
}

/** The plan of a file with a row for each value. */
function longPlan(layout: RecognizedPlan['layout']): RecognizedPlan {
  return {
    layout,
    station: { at: AT.station, heading: 'ID', identifier: 'ghcn' },
    time: timeAt(AT.date, 'DATE', 'YYYYMMDD'),
    observationTime: { at: [AT.observed] },
    long: { name: AT.element, value: AT.value },
    columns: Object.entries(ELEMENTS).map(([element, [variable, unit]]): ColumnPlan => ({
      kind: 'value',
      at: AT.value,
      heading: element,
      variable,
      unit,
      ...(!WHOLE.has(element) && { factor: 0.1 }),
      when: { at: AT.element, texts: [element] },
      ...traceWhen(element, { at: AT.measurement, texts: ['T'] }),
    })),
    rows: [{ at: AT.failed, keep: [''], reason: 'that failed a check of NOAA' }],
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
    yield Array.from({ length: 31 }, (_, index) => ({ day: index + 1, at: 21 + 8 * index })).flatMap(
      ({ day, at }) => {
        const value = text.slice(at, at + 5).trim();
        const [measurement = '', failed = ''] = Array.from(text.slice(at + 5, at + 7), (flag) => flag.trim());
        if (value === MISSING || value === '') return [];
        return [
          {
            line,
            fields: [station, `${month}${String(day).padStart(2, '0')}`, element, value, measurement, failed],
          },
        ];
      },
    );
  }
}
