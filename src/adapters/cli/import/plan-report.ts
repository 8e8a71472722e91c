import type { DescribedPlan, SampleRows } from '#application/ports/file-importer.js';
import type { Question } from '#adapters/formats/files/questions.js';
import { wordOf } from '#adapters/formats/files/questions.js';
import { textOf } from '#adapters/formats/files/sentences.js';
import { SECONDS_OF_DAY } from '#domain/weather/stations/station-ranges.js';
import { NO_ROWS } from '#adapters/imports/plan/plan-files.js';
import { formatTable } from '../table.js';

/** The report lists the columns that are left out, by reason. For each reason it names at most this many columns. */
const NAMED = 6;

/** The text that tells people how a file will be read (its plan), without the name of the file. */
export function planText(plan: DescribedPlan): string {
  const { title, encoding, decimal, station, time, routineInterval, columns, leftOut, skipped, notes } = plan;
  const text = [
    `${title}${encoding === 'utf-8' ? '' : `, ${encoding}`}${decimal === ',' ? ', decimal comma' : ''}`,
    `  station: ${station}`,
    `  time: ${time.headings.join(' and ')}, ${time.formats.join(' or ')}, ${time.zone}`,
  ];
  if (time.interval > 0)
    text.push(
      `  timestamps are at the start of an interval of ${time.interval} s; rows are moved to the end`,
    );
  if (time.wholeDays)
    text.push('  a date is the whole day; rows are stored at its end, the following midnight');
  if (routineInterval !== null)
    text.push(`  reporting interval: ${routineInterval} s, for stations whose interval is unknown`);
  const lines = columns.map(({ heading, variable, reading }) => [heading, variable, reading]);
  text.push(indented(formatTable(['column', 'variable', 'unit'], lines)));
  for (const { reason, headings } of leftOut) {
    const more = headings.length > NAMED ? ` and ${headings.length - NAMED} more` : '';
    text.push(`  left out, ${reason}: ${headings.slice(0, NAMED).join(', ')}${more}`);
  }
  for (const reason of skipped) text.push(`  skipped: ${reason}`);
  for (const note of notes) text.push(`  ${note}`);
  return text.join('\n');
}

/** The text with the first rows of a file. */
export function samplesText({ times, columns, problem, uncalibrated }: SampleRows): string {
  if (problem === NO_ROWS) return `\n  ${problem}`;
  const leftOut = uncalibrated === 0 ? '' : `\n  ${pressuresText(uncalibrated)}`;
  if (problem !== null) return `${leftOut}\n  ${problem}`;
  // The table has one column for each row, because the names of variables are too wide for the headings of columns.
  const [first, ...others] = [
    ['time', ...times.map((time) => new Date(time).toISOString().replace('.000Z', 'Z'))],
    ...columns.map(({ variable, unit, values }) => [`${variable} ${unit}`, ...values.map(plain)]),
  ] as const;
  return `${leftOut}\n  first rows as they are stored:\n${indented(formatTable(first, others))}`;
}

/** A note about pressures that are left out. @param count number of pressures */
export function pressuresText(count: number): string {
  return `left out, ${count} values of air_pressure_at_mean_sea_level that equal surface_air_pressure: the console is not calibrated.`;
}

/** The questions about a file that nobody has answered so far, each with the options of the command that answer it. */
export function describeQuestions(questions: readonly Question[]): string {
  return questions
    .map(
      ({ sentence, key, choices }) =>
        `${textOf(sentence, 'command')} Give ${choices.map((choice) => optionFor(key, choice)).join(' or ')}.`,
    )
    .join('\n');
}

/** The option that gives an answer: `--unit temperature=°F`. */
function optionFor(key: Question['key'], answer: string): string {
  if (key === 'date-order') return `--date-order ${answer}`;
  if (key === 'day-stamp') return `--stamp-interval ${answer === 'begin' ? SECONDS_OF_DAY : 0}`;
  const [, name = ''] = /^[a-z]+:(.*)$/s.exec(key) ?? [];
  if (key.startsWith('unit:')) return `--unit ${wordOf(`${name}=${answer}`)}`;
  return `--${answer} ${wordOf(name)}`;
}

function plain(value: number | null): string {
  return value === null ? '-' : String(Number(value.toPrecision(6)));
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
