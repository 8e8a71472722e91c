import { isDateAlone, parseInstant } from '#domain/time.js';
import { SECONDS_OF_DAY } from '#domain/weather/stations/station-ranges.js';
import { readHeading } from '#domain/weather/units.js';
import { variableNamed } from '#domain/weather/variables.js';
import type { FileHead } from '#adapters/formats/files/file-head.js';
import type { FilePlan } from '#adapters/formats/files/file-plan.js';
import type { Questions } from '#adapters/formats/files/questions.js';
import { isDatePattern } from '#adapters/formats/tables/time-pattern.js';

/**
 * Determines how a row with daily values or amounts gets its day, and adds this to the plan of the table (the description of how
 * the table is read). Only for tables that no import format recognizes:
 *
 * - If the times are dates without a time of day, a row describes the whole day of its date.
 * - If the times have a time of day and the table has daily values, the user is asked whether a time is the start or the end of
 *   the day.
 * - If the table looks like an export of this service, the user is not asked: times in an export are the end of the day.
 *
 * @param stampInterval the seconds of `--stamp-interval`; 0 means that timestamps are at the end of an interval; undefined
 *   without the option
 */
export function withDayValues<T extends FilePlan>(
  plan: T,
  head: FileHead,
  questions: Questions,
  stampInterval: number | undefined,
): T {
  const { time, columns, layout } = plan;
  const readColumns = columns.flatMap((column) => (column.kind === 'left out' ? [] : [column]));
  const variableOf = ({ variable }: (typeof readColumns)[number]) => variableNamed(variable);
  const daily = readColumns.find((column) => variableOf(column)?.period === 'day');
  const hasPeriod =
    daily !== undefined || readColumns.some((column) => variableOf(column)?.aggregation === 'sum');
  if (!hasPeriod || layout.kind !== 'delimited' || time.date !== undefined) return plan;
  const samples = head.samples(time.at[0] ?? 0, layout.first, layout.delimiter);
  if (samples.length === 0) return plan;
  const areDates =
    time.formats.every(isDatePattern) ||
    (time.at.length === 1 && time.formats.includes('iso') && samples.every(isDateAlone));
  if (areDates) {
    if (stampInterval !== undefined && stampInterval !== SECONDS_OF_DAY) return plan;
    // The format `iso` is replaced, because it also accepts a time of day. A later text with a time of day is then rejected.
    const formats = time.formats.map((format) => (format === 'iso' ? 'YYYY-MM-DD' : format));
    return { ...plan, time: { ...time, formats, days: 'all' } };
  }
  if (daily === undefined) return plan;
  const isOwn =
    readColumns.every(({ heading, variable }) => readHeading(heading).name === variable) &&
    time.headings.join() === 'time' &&
    samples.every((text) => !isDateAlone(text) && !Number.isNaN(parseInstant(text)));
  if (isOwn) return plan;
  const [, ...others] = time.at.map((at) => head.samples(at, layout.first, layout.delimiter)[0] ?? '');
  const sample = others.length > 0 ? samples[0] : samples.find((text) => !isDateAlone(text));
  questions.dayStamp(daily.heading, [sample ?? '', ...others].join(' '));
  return plan;
}
