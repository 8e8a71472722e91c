import { quoted } from '#domain/quoted.js';
import { DistanceUnit, type IMetar, parseMetar, RemarkType, SpeedUnit } from 'metar-taf-parser';
import { epochOf } from '#domain/time.js';
import type { FileRecord, FileSource } from '../files/file-plan.js';
import { type TextLine, linesOf, MAX_LINE } from '../text/line-reader.js';
import { MonthCount } from './metar-months.js';

const METERS_PER_SECOND: Readonly<Record<string, number>> = {
  [SpeedUnit.Knot]: 1852 / 3600,
  [SpeedUnit.MetersPerSecond]: 1,
  [SpeedUnit.KilometersPerHour]: 1 / 3.6,
};
const STATUTE_MILE = 1609.344;
/** Matches the report in a line. Other text may stand before the report, for example the other fields of a CSV file. */
const REPORT = /(?:^|[",\s])((?:METAR |SPECI )?(?:COR )?[A-Z][A-Z0-9]{3} \d{6}Z [^",]*)/;
/** Station, day, hour and minute of a report. */
const STAMP = /([A-Z][A-Z0-9]{3}) (\d\d)(\d\d)(\d\d)Z /;
/** The date of a report, from another field of its line. */
const DATE = /\b(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d/;
/** Temperature and dew point in tenths of degrees, from the remarks. The first digit is the sign: 1 for minus. */
const TENTHS = /\bT([01])(\d{3})(?:([01])(\d{3}))?\b/;
/** Precipitation since the last routine report, in hundredths of inches. */
const AMOUNT = /\bP(\d{4})\b/;
/**
 * First minute of the hour at which routine reports in the United States are made. The precipitation in reports before this
 * minute is not read. Such a report may be a special report. The precipitation of a special report is a part of the amount in the
 * next routine report, and would be counted twice.
 */
const ROUTINE_MINUTE = 45;

/**
 * Reads the reports as records: station, time and values.
 *
 * @param before an instant later than all reports, in milliseconds since 1970-01-01T00:00:00Z
 */
export async function* metarRecords(
  source: FileSource,
  before: number,
): AsyncGenerator<readonly FileRecord[]> {
  const months = new MonthCount(before);
  if (source.canRepeat) {
    for await (const { text } of whole(linesOf(source.text(true)))) {
      const [, station = '', day, hour, minute] = STAMP.exec(text) ?? [];
      if (day !== undefined)
        months.look(station, { day: Number(day), hour: Number(hour), minute: Number(minute) });
    }
  }
  months.begin();
  for await (const line of linesOf(source.text())) {
    if (line.isTooLong) yield [{ line: line.number, fields: [], fault: `is longer than ${MAX_LINE} bytes` }];
    else if (line.text.trim() !== '' && !(line.number === 1 && line.text.startsWith('raw_text,'))) {
      yield [recordOf(line, months)];
    }
  }
}

/**
 * Returns the lines of a file for the first of two passes. If the file cannot be read to its end, the lines end there without an
 * error: the second pass reads the file again, and reports the error.
 */
async function* whole(lines: AsyncIterable<TextLine>): AsyncGenerator<TextLine> {
  try {
    yield* lines;
  } catch {
    return;
  }
}

function recordOf({ text, number: line }: TextLine, months: MonthCount): FileRecord {
  const report = REPORT.exec(text)?.[1];
  if (report === undefined) return { line, fields: [], fault: `${quoted(text)} is not a METAR` };
  let parsed: IMetar;
  try {
    parsed = parseMetar(report.trim());
  } catch (error) {
    return {
      line,
      fields: [],
      fault: `${quoted(text)} is not a valid METAR: ${(error as Error).message}`,
    };
  }
  const { day, hour, minute, station } = parsed;
  if (day === undefined || hour === undefined || minute === undefined)
    return { line, fields: [], fault: `${quoted(text)} has no time` };
  const date = DATE.exec(text)?.[1];
  const time =
    date === undefined ? months.timeOf(station, { day, hour, minute }) : nearest(date, day, hour, minute);
  if (Number.isNaN(time)) {
    const group = [day, hour, minute].map((part) => String(part).padStart(2, '0')).join('');
    const fault = `"${group}Z" is not a day of a month, an hour from 00 to 23 and a minute from 00 to 59`;
    return { line, fields: [], fault };
  }
  const values = valuesOf(parsed, report).map((value) => (Number.isNaN(value) ? '' : String(value)));
  return {
    line,
    fields: [station, new Date(time).toISOString(), ...values, amountOf(report, minute)],
  };
}

/** The instant with this day of the month, hour and minute that is nearest to a date. */
function nearest(date: string, day: number, hour: number, minute: number): number {
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
  const times = [-1, 0, 1].map((step) => {
    const first = new Date(Date.UTC(year, month - 1 + step));
    return epochOf({
      year: first.getUTCFullYear(),
      month: first.getUTCMonth() + 1,
      day,
      hour,
      minute,
      second: 0,
      millisecond: 0,
    });
  });
  const aim = Date.parse(`${date}T12:00Z`);
  const valid = times.filter((time) => !Number.isNaN(time));
  return valid.toSorted((a, b) => Math.abs(a - aim) - Math.abs(b - aim))[0] ?? Number.NaN;
}

function valuesOf(report: IMetar, text: string): number[] {
  const remarks = remarksOf(text);
  const { wind } = report;
  const [, sign, tenths, dewSign, dewTenths] = TENTHS.exec(remarks) ?? [];
  const factor = wind === undefined ? Number.NaN : (METERS_PER_SECOND[wind.unit] ?? Number.NaN);
  return [
    degrees(sign, tenths) ?? report.temperature ?? Number.NaN,
    degrees(dewSign, dewTenths) ?? report.dewPoint ?? Number.NaN,
    wind?.degrees ?? Number.NaN,
    tidy((wind?.speed ?? Number.NaN) * factor),
    tidy((wind?.gust ?? Number.NaN) * factor),
    visibilityOf(report),
    seaLevelPressureOf(report),
  ];
}

/**
 * The precipitation of the hour in inches, from the group `P` of the remarks: `P0012` is 0.12. It is `T` for a trace (`P0000`).
 * The text is empty for special reports, for reports before `ROUTINE_MINUTE`, and for reports without such a group. Reports
 * without precipitation have no such group.
 */
function amountOf(text: string, minute: number): string {
  if (minute < ROUTINE_MINUTE || text.startsWith('SPECI')) return '';
  const hundredths = AMOUNT.exec(remarksOf(text))?.[1];
  if (hundredths === undefined) return '';
  return Number(hundredths) === 0 ? 'T' : String(Number(hundredths) / 100);
}

function remarksOf(text: string): string {
  return text.slice(text.indexOf(' RMK') + 1 || text.length);
}

function degrees(sign: string | undefined, tenths: string | undefined): number | undefined {
  if (tenths === undefined) return undefined;
  return sign === '1' && Number(tenths) !== 0 ? -Number(tenths) / 10 : Number(tenths) / 10;
}

/** The visibility in meters. “More than” and “less than” are limits rather than measurements, and become NaN. */
function visibilityOf({ visibility, cavok }: IMetar): number {
  if (cavok === true || visibility === undefined || visibility.indicator !== undefined) return Number.NaN;
  return visibility.unit === DistanceUnit.Meters ? visibility.value : tidy(visibility.value * STATUTE_MILE);
}

/** The pressure at mean sea level in hPa, from the remarks. The altimeter setting is not used, because it is another quantity. */
function seaLevelPressureOf({ remarks }: IMetar): number {
  const remark = remarks.find(
    (candidate) => 'pressure' in candidate && candidate.type === RemarkType.SeaLevelPressure,
  );
  return remark !== undefined && 'pressure' in remark ? remark.pressure : Number.NaN;
}

/** Removes the rounding error of a conversion. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
