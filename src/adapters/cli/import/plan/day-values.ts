import { isDateAlone, parseInstant } from '#domain/time.js';
import { SECONDS_OF_DAY } from '#domain/weather/stations/station-ranges.js';
import { readHeading } from '#domain/weather/units.js';
import { variableNamed } from '#domain/weather/variables.js';
import type { FileHead } from '#adapters/formats/files/file-head.js';
import type { FilePlan } from '#adapters/formats/files/file-plan.js';
import type { Questions } from '#adapters/formats/files/questions.js';
import { isDatePattern } from '#adapters/formats/tables/time-pattern.js';

/**
 * Decides what day the values of whole days, and amounts, are of in a table of no make. A date without a time is that day. A time of
 * day may be the beginning or the end of a day, which is asked; but in the form in which the service itself writes such values, with
 * an offset, it is the end.
 *
 * @param stampInterval as the option says it: 0 for stamps at the end
 */
export function withDayValues<T extends FilePlan>(
  plan: T,
  head: FileHead,
  questions: Questions,
  stampInterval: number | undefined,
): T {
  const { time, columns, layout } = plan;
  const taken = columns.flatMap((column) => (column.kind === 'left out' ? [] : [column]));
  const variableOf = ({ variable }: (typeof taken)[number]) => variableNamed(variable);
  const daily = taken.find((column) => variableOf(column)?.period === 'day');
  const isOfTime = daily !== undefined || taken.some((column) => variableOf(column)?.aggregation === 'sum');
  if (!isOfTime || layout.kind !== 'delimited' || time.date !== undefined) return plan;
  const samples = head.samples(time.at[0] ?? 0, layout.first, layout.delimiter);
  if (samples.length === 0) return plan;
  const areDates =
    time.formats.every(isDatePattern) ||
    (time.at.length === 1 && time.formats.includes('iso') && samples.every(isDateAlone));
  if (areDates) {
    if (stampInterval !== undefined && stampInterval !== SECONDS_OF_DAY) return plan;
    // A text with a time of day, further down, is then no date.
    const formats = time.formats.map((format) => (format === 'iso' ? 'YYYY-MM-DD' : format));
    return { ...plan, time: { ...time, formats, days: 'all' } };
  }
  if (daily === undefined) return plan;
  const isOwn =
    taken.every(({ heading, variable }) => readHeading(heading).name === variable) &&
    time.headings.join() === 'time' &&
    samples.every((text) => !isDateAlone(text) && !Number.isNaN(parseInstant(text)));
  if (isOwn) return plan;
  const [, ...others] = time.at.map((at) => head.samples(at, layout.first, layout.delimiter)[0] ?? '');
  const sample = others.length > 0 ? samples[0] : samples.find((text) => !isDateAlone(text));
  questions.dayStamp(daily.heading, [sample ?? '', ...others].join(' '));
  return plan;
}
