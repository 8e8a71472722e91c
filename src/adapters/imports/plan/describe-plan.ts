import type { DescribedColumn, DescribedPlan } from '#application/ports/file-importer.js';
import type { ColumnPlan, RowCondition, TimePlan, ZonePlan } from '#adapters/formats/files/file-plan.js';
import { type Reader, textOf } from '#adapters/formats/files/sentences.js';
import { offsetName } from '#adapters/formats/tables/local-zone.js';
import type { ImportPlan } from './import-plan.js';

type ReadColumnPlan = Exclude<ColumnPlan, { kind: 'left out' }>;

/**
 * Describes how a file will be read (its plan).
 *
 * @param file the name of the file, for people
 * @param reader who reads the description
 * @param timeZone the zone of the station, if all rows have the same station
 */
export function describePlan(
  file: string,
  encoding: string,
  plan: ImportPlan,
  station: string,
  timeZone: string | undefined,
  reader: Reader,
): DescribedPlan {
  const { time, title, columns, notes = [], rows = [], decimal = '.' } = plan;
  return {
    file,
    title,
    format: plan.format ?? null,
    encoding,
    decimal,
    station,
    time: {
      headings: time.headings,
      formats: time.formats.map((format) => FORMATS[format] ?? format),
      zone: shownZone(time, timeZone),
      interval: time.interval ?? 0,
      wholeDays: time.days === 'all',
    },
    routineInterval: plan.routineInterval ?? null,
    columns: columnsRead(columns, plan.long !== undefined),
    leftOut: leftOut(columns, reader),
    skipped: rows.map(({ reason }) => reason),
    notes: notes.map((note) => textOf(note, reader)),
    doubt: plan.doubt?.map((sentence) => textOf(sentence, reader)).join(' ') ?? null,
  };
}

function columnsRead(columns: readonly ColumnPlan[], isLong: boolean): DescribedColumn[] {
  const read = columns.filter((column) => column.kind !== 'left out');
  const keyOf = ({ heading, variable }: ReadColumnPlan) => `${heading}\n${variable}`;
  return [...new Set(read.map(keyOf))].map((key) => {
    // Columns with the same heading and the same variable but different units are described as one column.
    const same = read.filter((column) => keyOf(column) === key);
    const kinds = new Set(same.map((column) => kindText(column, true)));
    const isShort = isLong || (kinds.size === 1 && same.length > 1);
    const units = isShort ? kinds : new Set(same.map((column) => kindText(column, false)));
    const { heading, variable, unit, kind } = same[0] as ReadColumnPlan;
    return { heading, variable, unit, reading: [...units].join('; '), kind };
  });
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

function leftOut(columns: readonly ColumnPlan[], reader: Reader): DescribedPlan['leftOut'] {
  const byReason = new Map<string, string[]>();
  for (const column of columns) {
    if (column.kind !== 'left out') continue;
    const reason = textOf(column.reason, reader);
    byReason.set(reason, [...(byReason.get(reason) ?? []), column.heading]);
  }
  return [...byReason].map(([reason, headings]) => ({ reason, headings }));
}

const FORMATS: Readonly<Record<string, string>> = {
  iso: 'ISO 8601',
  instant: 'ISO 8601 with an offset',
  unix: 'seconds since 1970',
  'unix-ms': 'milliseconds since 1970',
};

/** Formats whose texts are instants, so that no zone is applied to them. */
const INSTANTS: ReadonlySet<string> = new Set(['unix', 'unix-ms']);

/** The zone of the times of a file. The zone for texts without a zone is not shown if all texts have one. */
function shownZone({ formats, zone, ownZone }: TimePlan, timeZone: string | undefined): string {
  if (ownZone === 'offset') return 'each with its offset';
  const isUtc = ownZone === 'utc' || formats.every((format) => INSTANTS.has(format));
  return zoneText(isUtc ? 'utc' : zone, timeZone);
}

function zoneText(zone: ZonePlan, timeZone = 'the station'): string {
  if (zone === 'utc') return 'UTC';
  if (zone === 'station') return `local time of ${timeZone}`;
  if (zone === 'station-standard') return `standard time of ${timeZone} all year`;
  return 'name' in zone ? zone.name : offsetName(zone.offset);
}
