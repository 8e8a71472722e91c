import type { Readable } from 'node:stream';
import { DistanceUnit, type IMetar, parseMetar, RemarkType, SpeedUnit } from 'metar-taf-parser';
import { epochOf, MILLISECONDS } from '../../../domain/time.js';
import { linesOf, MAX_LINE } from '../text/line-reader.js';
import { chunksOf } from './chunks-of.js';
import type { FileColumn, FileRow } from './file-row.js';

/** The variables of the catalogue that a METAR has, in the order of the values of a row. */
export const METAR_COLUMNS: readonly FileColumn[] = [
  { field: 'temperature', variable: 'air_temperature', unit: '°C' },
  { field: 'dew point', variable: 'dew_point_temperature', unit: '°C' },
  { field: 'wind direction', variable: 'wind_from_direction', unit: 'degree' },
  { field: 'wind speed', variable: 'wind_speed', unit: 'm/s' },
  { field: 'gust', variable: 'wind_speed_of_gust', unit: 'm/s' },
  { field: 'visibility', variable: 'visibility_in_air', unit: 'm' },
  { field: 'sea level pressure', variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
];

const METRES_PER_SECOND: Readonly<Record<string, number>> = {
  [SpeedUnit.Knot]: 1852 / 3600,
  [SpeedUnit.MetersPerSecond]: 1,
  [SpeedUnit.KilometersPerHour]: 1 / 3.6,
};
const STATUTE_MILE = 1609.344;
/** A METAR names a day and no month: the last such day before this much after `issued`. */
const AHEAD = MILLISECONDS.day;
/** The text before a report in collections, and the beginning of a report. */
const REPORT = /(?:^|[",\s])((?:METAR |SPECI )?[A-Z][A-Z0-9]{3} \d{6}Z [^",]*)/;

/**
 * Reads METAR text with a report in each line. In a CSV file the report is one of the fields.
 *
 * @param before a time that is later than all reports, in milliseconds since 1970-01-01T00:00:00Z
 * @param stationOf the id of the station with an ICAO code
 */
export async function* metarRows(
  source: Readable,
  before: number,
  stationOf: (icao: string) => string,
): AsyncGenerator<FileRow> {
  for await (const { number: line, text, isTooLong } of linesOf(chunksOf(source))) {
    if (isTooLong) {
      yield { line, problem: `is longer than ${MAX_LINE} bytes` };
      continue;
    }
    if (text.trim() === '' || (line === 1 && text.startsWith('raw_text,'))) continue;
    const row = readReport(text, line, before);
    yield 'problem' in row ? row : { ...row, station: stationOf(row.station) };
  }
}

function readReport(text: string, line: number, before: number): FileRow {
  const report = REPORT.exec(text)?.[1];
  if (report === undefined) return { line, problem: 'is no METAR' };
  let metar: IMetar;
  try {
    metar = parseMetar(report.trim(), { issued: new Date(before) });
  } catch (error) {
    return { line, problem: `is no METAR that can be read: ${(error as Error).message}` };
  }
  const { day, hour, minute, station } = metar;
  if (day === undefined || hour === undefined || minute === undefined)
    return { line, problem: 'has no time' };
  const time = timeOf(day, hour, minute, before);
  if (Number.isNaN(time)) {
    const group = [day, hour, minute].map((part) => String(part).padStart(2, '0')).join('');
    return {
      line,
      problem: `"${group}Z" is not a day of a month, an hour from 00 to 23 and a minute from 00 to 59`,
    };
  }
  return { line, station, time, values: valuesOf(metar) };
}

function timeOf(day: number, hour: number, minute: number, before: number): number {
  const latest = new Date(before);
  for (let back = 0; back < 12; back += 1) {
    const first = new Date(Date.UTC(latest.getUTCFullYear(), latest.getUTCMonth() - back));
    const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + 1];
    const time = epochOf({ year, month, day, hour, minute, second: 0, millisecond: 0 });
    if (time <= before + AHEAD) return time;
  }
  return Number.NaN;
}

function valuesOf(metar: IMetar): number[] {
  const { temperature = Number.NaN, dewPoint = Number.NaN, wind } = metar;
  const factor = wind === undefined ? Number.NaN : (METRES_PER_SECOND[wind.unit] ?? Number.NaN);
  return [
    temperature,
    dewPoint,
    wind?.degrees ?? Number.NaN,
    tidy((wind?.speed ?? Number.NaN) * factor),
    tidy((wind?.gust ?? Number.NaN) * factor),
    visibilityOf(metar),
    seaLevelPressureOf(metar),
  ];
}

/** “More than” and “less than” are limits and no measurements. */
function visibilityOf({ visibility, cavok }: IMetar): number {
  if (cavok === true || visibility === undefined || visibility.indicator !== undefined) return Number.NaN;
  return visibility.unit === DistanceUnit.Meters ? visibility.value : tidy(visibility.value * STATUTE_MILE);
}

/** From the remark, since the altimeter setting is another quantity. */
function seaLevelPressureOf({ remarks }: IMetar): number {
  const remark = remarks.find(
    (candidate) => 'pressure' in candidate && candidate.type === RemarkType.SeaLevelPressure,
  );
  return remark !== undefined && 'pressure' in remark ? remark.pressure : Number.NaN;
}

/** Without the noise of the conversion. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
