import { FAULT } from '#application/observations/ingest/sifted-rows.js';
import type { PreviewRows } from '#application/observations/ingest/preview-rows.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { Question } from '#adapters/formats/files/questions.js';
import { optionFor } from '#adapters/formats/files/questions.js';
import type { ColumnPlan, RowCondition, FilePlan, ZonePlan } from '#adapters/formats/files/file-plan.js';
import type { ReadPart } from '#adapters/formats/tables/row-columns.js';
import { offsetName } from '#adapters/formats/tables/local-zone.js';
import { formatTable } from '../../table.js';
import type { ImportPlan } from './import-plan.js';

type ReadColumnPlan = Exclude<ColumnPlan, { kind: 'left out' }>;

/** The report lists the columns that are left out, by reason. For each reason it names at most this many columns. */
const NAMED = 6;

/**
 * Describes for people how a file will be read (its plan).
 *
 * @param timeZone the zone of the station, if all rows have the same station
 */
export function describePlan(
  encoding: string,
  plan: ImportPlan,
  station: string,
  timeZone: string | undefined,
): string {
  const { time, title, columns, notes = [], rows = [], decimal = '.' } = plan;
  const text = [
    `${title}${encoding === 'utf-8' ? '' : `, ${encoding}`}${decimal === ',' ? ', decimal comma' : ''}`,
    `  station: ${station}`,
    `  time: ${time.headings.join(' and ')}, ${formatsOf(time)}, ${zoneText(time.zone, timeZone)}`,
  ];
  if (time.interval !== undefined && time.interval > 0)
    text.push(
      `  timestamps are at the start of an interval of ${time.interval} s; rows are moved to the end`,
    );
  if (time.days === 'all')
    text.push('  a date is the whole day; rows are stored at its end, the following midnight');
  if (plan.routineInterval !== undefined)
    text.push(`  reporting interval: ${plan.routineInterval} s, for stations whose interval is unknown`);
  const readColumns = columns.filter((column) => column.kind !== 'left out');
  const keyOf = ({ heading, variable }: ReadColumnPlan) => `${heading}\n${variable}`;
  const lines = [...new Set(readColumns.map(keyOf))].map((key) => {
    // Columns with the same heading and the same variable but different units are shown in one line.
    const same = readColumns.filter((column) => keyOf(column) === key);
    const kinds = new Set(same.map((column) => kindText(column, true)));
    const isShort = plan.long !== undefined || (kinds.size === 1 && same.length > 1);
    const units = isShort ? kinds : new Set(same.map((column) => kindText(column, false)));
    return [...key.split('\n'), [...units].join('; ')];
  });
  text.push(indented(formatTable(['column', 'variable', 'unit'], lines)));
  for (const [reason, names] of leftOut(columns)) {
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    text.push(`  left out, ${reason}: ${names.slice(0, NAMED).join(', ')}${more}`);
  }
  for (const { reason } of rows) text.push(`  skipped: ${reason}`);
  for (const note of notes) text.push(`  ${note}`);
  return text.join('\n');
}

/**
 * The first rows as they will be stored, without rows that will be rejected.
 *
 * @param maxRows largest number of rows
 * @param areStationsMade whether unknown stations will be created before the rows are written
 */
export async function describeRows(
  parts: readonly ReadPart[],
  maxRows: number,
  preview: PreviewRows,
  areStationsMade: boolean,
): Promise<string> {
  const lines: string[][] = [];
  let unknown: string | undefined;
  const ignored = areStationsMade ? ~FAULT.station : ~0;
  const numbers = new Set<number>();
  const shownRows: { time: number; values: Map<number, number> }[] = [];
  for (const { rows } of parts) {
    const { times, values, faults } = await preview.execute(rows);
    for (let row = 0; row < times.length && shownRows.length < maxRows; row += 1) {
      const fault = (faults[row] as number) & ignored;
      if ((fault & FAULT.station) !== 0)
        unknown ??= typeof rows.stations === 'string' ? rows.stations : String(rows.stations[row]);
      if (fault !== 0) continue;
      const entries = [...values].map(([number, column]) => [number, column[row] as number] as const);
      for (const [number, value] of entries) if (!Number.isNaN(value)) numbers.add(number);
      shownRows.push({ time: times[row] as number, values: new Map(entries) });
    }
  }
  if (shownRows.length === 0) {
    const reason = unknown === undefined ? '' : `: there is no station ${JSON.stringify(unknown)}`;
    return `  none of the first rows can be stored${reason}`;
  }
  for (const { time, values } of shownRows) {
    const cells = [...numbers].map((number) => plain(values.get(number) ?? Number.NaN));
    lines.push([new Date(time).toISOString().replace('.000Z', 'Z'), ...cells]);
  }
  const heads = [...numbers].map(
    (number) => `${variableNumbered(number).name} ${variableNumbered(number).unit}`,
  );
  // The table has one column for each row, because the names of variables are too wide for the headings of columns.
  const transposed = ['time', ...heads].map((head, at) => [head, ...lines.map((line) => line[at] ?? '')]);
  const [first = [], ...others] = transposed;
  return `  first rows as they are stored:\n${indented(formatTable(first, others))}`;
}

/** A note about pressures that are left out. @param count number of pressures */
export function pressuresText(count: number): string {
  return `left out, ${count} values of air_pressure_at_mean_sea_level that equal surface_air_pressure: the console is not calibrated.`;
}

/** The questions about a file that nobody has answered so far, each with the options of the command that answer it. */
export function describeQuestions(questions: readonly Question[]): string {
  return questions
    .map(
      ({ text, key, choices }) =>
        `${text} Give ${choices.map((choice) => optionFor(key, choice)).join(' or ')}.`,
    )
    .join('\n');
}

function kindText(column: ReadColumnPlan, isShort: boolean): string {
  const { unit, factor, when } = column;
  const parts = [unit];
  if (factor !== undefined) parts.push(`times ${factor}`);
  if (column.kind === 'counter') parts.push('differences of a running total');
  if (when !== undefined && !isShort) parts.push(conditionText(when));
  return parts.join(', ');
}

function conditionText(when: RowCondition): string {
  if ('matches' in when) return when.text;
  return 'texts' in when
    ? `of rows with ${shownTexts(when.texts)}`
    : `not of rows with ${shownTexts(when.not)}`;
}

function shownTexts(texts: readonly string[]): string {
  return texts.map((text) => (text === '' ? 'nothing' : text)).join(' or ');
}

function leftOut(columns: readonly ColumnPlan[]): Map<string, string[]> {
  const byReason = new Map<string, string[]>();
  for (const column of columns) {
    if (column.kind !== 'left out') continue;
    byReason.set(column.reason, [...(byReason.get(column.reason) ?? []), column.heading]);
  }
  return byReason;
}

const FORMATS: Readonly<Record<string, string>> = {
  iso: 'ISO 8601',
  instant: 'ISO 8601 with an offset',
  unix: 'seconds since 1970',
  'unix-ms': 'milliseconds since 1970',
};

function formatsOf({ formats }: FilePlan['time']): string {
  return formats.map((format) => FORMATS[format] ?? format).join(' or ');
}

function zoneText(zone: ZonePlan, timeZone = 'the station'): string {
  if (zone === 'utc') return 'UTC';
  if (zone === 'station') return `local time of ${timeZone}`;
  if (zone === 'station-standard') return `standard time of ${timeZone} all year`;
  return 'name' in zone ? zone.name : offsetName(zone.offset);
}

function plain(value: number): string {
  return Number.isNaN(value) ? '-' : String(Number(value.toPrecision(6)));
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
