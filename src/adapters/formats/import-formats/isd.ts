import { LineReader, type TextLine } from '../text/line-reader.js';
import type { FileRecord, FileSource, PlannedColumn } from '../files/file-plan.js';
import { OKTA } from './by-heading.js';
import { fixedRows } from './fixed-rows.js';
import type { ImportFormat } from './import-format.js';

/** Start of a record: length, station, date, time, source, coordinates, type of report, elevation, call letters, process, wind. */
const ROW =
  /^\d{4}[\dA-Z]{11}\d{12}.[+-]\d{5}[+-]\d{6}[\dA-Z -]{5}[+-]\d{4}.{5}[\dA-Z ]{4}\d{4}.\d{5}.{17}[+-]\d{4}.[+-]\d{4}./;
/** Length of the part of a record whose fields have fixed positions. Groups of additional data follow. */
const FIXED = 105;
/** The fields at fixed positions, as offsets from 0: station, time and type, then each value with its quality code. */
const POSITIONS: readonly (readonly [from: number, to: number])[] = [
  [4, 15],
  [15, 27],
  [41, 46],
  [60, 63],
  [63, 64],
  [65, 69],
  [69, 70],
  [78, 84],
  [84, 85],
  [87, 92],
  [92, 93],
  [93, 98],
  [98, 99],
  [99, 104],
  [104, 105],
];
/** Groups of the additional data, with one or two values. A quality code follows each value. */
const GROUPS: readonly RegExp[] = [
  /OC1(\d{4})(.)/,
  /MA1\d{5}.(\d{5})(.)/,
  /GF1(\d\d)\d\d(.)/,
  /AJ1(\d{4}).(.)/,
  // Precipitation of one hour. The last field is the condition code.
  /AA[1-4]01(\d{4})(.)(.)/,
];
const RAIN = POSITIONS.length + 2 * (GROUPS.length - 1);
/** Codes of values that are erroneous according to NOAA. */
const ERRONEOUS = ['3', '7'];
/** Types of reports whose amounts of precipitation are read. Special and synoptic reports repeat parts of the same hour. */
const ROUTINE = ['FM-15', 'SY-MT', 'SY-SA', 'SAO', 'AUTO', 'CRN05', 'CRN15'];
/** Codes of the cloud cover that are no oktas: obscured, or not observed. */
const NO_OKTAS = ['09', '10', '11', '12', '13', '14', '15', '16', '17', '18', '19', '99'];

/**
 * ISD, the Integrated Surface Database of NOAA: records of 105 characters with groups of additional data, by the document "Federal
 * Climate Complex Data Documentation for Integrated Surface Data". Times are in UTC.
 */
export const isd: ImportFormat = {
  name: 'isd',
  title: 'NOAA ISD, fixed width',
  recognize(head, questions) {
    if (fixedRows(head, ROW, questions, 'isd').length === 0) return undefined;
    const hasRoutine = head.lines.some((line) => ROUTINE.includes(line.slice(41, 46).trim()));
    return {
      layout: { kind: 'own', records: recordsOf },
      station: { at: 0, heading: 'USAF and WBAN', identifier: 'usaf_wban' },
      time: { at: [1], headings: ['date and time'], formats: ['YYYYMMDDHHmm'], zone: 'utc' },
      rows: [
        {
          at: 2,
          drop: ['SOD', 'SOM', 'PCP15', 'PCP60'],
          reason: 'summaries, and precipitation without other values',
        },
      ],
      columns: [
        column(3, 'wind direction', 'wind_from_direction', 'degree', 1, '999'),
        column(5, 'wind speed', 'wind_speed', 'm/s', 0.1, '9999'),
        column(7, 'visibility', 'visibility_in_air', 'm', 1, '999999'),
        column(9, 'air temperature', 'air_temperature', '°C', 0.1, '+9999'),
        column(11, 'dew point temperature', 'dew_point_temperature', '°C', 0.1, '+9999'),
        column(13, 'sea level pressure', 'air_pressure_at_mean_sea_level', 'hPa', 0.1, '99999'),
        column(15, 'OC1, wind gust', 'wind_speed_of_gust', 'm/s', 0.1, '9999'),
        column(17, 'MA1, station pressure', 'surface_air_pressure', 'hPa', 0.1, '99999'),
        column(19, 'GF1, total cloud cover', 'cloud_area_fraction', '%', OKTA, ...NO_OKTAS),
        column(21, 'AJ1, snow depth', 'surface_snow_thickness', 'cm', 1, '9999'),
        {
          kind: 'value',
          at: RAIN,
          heading: 'AA1, precipitation of one hour',
          variable: 'precipitation_amount',
          unit: 'mm',
          factor: 0.1,
          missing: ['9999'],
          traceWhen: { at: RAIN + 1, texts: ['2'] },
          when: { at: 2, texts: hasRoutine ? ROUTINE : ['FM-12'] },
        },
        {
          kind: 'left out',
          at: RAIN + 2,
          heading: 'all other groups of additional data',
          reason: 'of longer periods, or no variables of the service',
        },
      ],
      notes: [
        'Values that are erroneous according to NOAA (quality codes 3 and 7) are left out.',
        hasRoutine
          ? 'Amounts of precipitation are read from routine reports, because other reports repeat parts of them.'
          : 'Amounts of precipitation are read only if they are of one hour.',
      ],
    };
  },
};

function column(
  at: number,
  heading: string,
  variable: string,
  unit: string,
  factor: number,
  ...missing: readonly string[]
): PlannedColumn {
  const when = { at: at + 1, not: ERRONEOUS };
  return { kind: 'value', at, heading, variable, unit, factor, missing, when };
}

async function* recordsOf(source: FileSource): AsyncGenerator<readonly FileRecord[]> {
  const reader = new LineReader();
  const records = (lines: readonly TextLine[]) => lines.filter(({ text }) => text !== '').map(recordOf);
  for await (const piece of source.text()) yield records(reader.read(piece));
  yield records(reader.end());
}

function recordOf({ number: line, text, isTooLong }: TextLine): FileRecord {
  if (isTooLong || !ROW.test(text)) return { line, fields: [], fault: 'is not a record of ISD' };
  const [rest = ''] = text.slice(FIXED).split(/REM|EQD/, 1);
  const groups = GROUPS.map((group) => group.exec(rest));
  const [rain] = groups.slice(-1);
  return {
    line,
    fields: [
      ...POSITIONS.map(([from, to]) => text.slice(from, to).trim()),
      ...groups.slice(0, -1).flatMap((match) => [match?.[1] ?? '', match?.[2] ?? '']),
      // An erroneous amount is removed here, because its condition in the plan is already the type of the report.
      rain !== null && rain !== undefined && !ERRONEOUS.includes(rain[3] ?? '') ? (rain[1] ?? '') : '',
      rain?.[2] ?? '',
    ],
  };
}
