import { DomainError } from '#domain/domain-error.js';
import { suggestion } from '#domain/nearest-name.js';
import type { Calendar } from '#application/ports/calendar.js';
import { encodingHint, isGarbled } from '#adapters/formats/files/encodings.js';
import type { FileHead } from '#adapters/formats/files/file-head.js';
import type { RowCondition, FilePlan, ZonePlan } from '#adapters/formats/files/file-plan.js';
import { columnList, type MappedColumn } from '#adapters/formats/files/generic-columns.js';
import { rowFilters } from '#adapters/formats/files/row-filters.js';
import { genericPlan } from '#adapters/formats/files/generic-plan.js';
import { type Answers, Questions } from '#adapters/formats/files/questions.js';
import { withFileUnits } from '#adapters/formats/files/read-as.js';
import { FileRefusal, say, type Sentence, textOf } from '#adapters/formats/files/sentences.js';
import { splitHeading } from '#adapters/formats/files/unit-names.js';
import { recognize } from '#adapters/formats/import-formats/import-formats.js';
import { fileTimes } from '#adapters/formats/tables/file-times.js';
import { localZone, offsetOf } from '#adapters/formats/tables/local-zone.js';
import type { ImportContext } from '../import-context.js';
import { withDayValues } from './daily-values.js';
import { describesTable, type ImportOptions } from './import-options.js';
import { variableNamed } from '#domain/weather/variables.js';
import { converter } from '#domain/weather/units.js';

/** How a file is read, and whether that is certain. */
export interface ImportPlan extends FilePlan {
  /** Name of the import format; undefined for a table of no import format. */
  readonly format: string | undefined;
  /** Why columns may be read wrongly, and what to do. Such a plan needs confirmation. Undefined if the plan is certain. */
  readonly doubt: readonly Sentence[] | undefined;
}

/**
 * Makes the plan of a file, which describes how the file is read.
 *
 * @param answers facts that the file does not contain, such as the unit of temperatures; an option or a person has given them
 * @throws DomainError REQUEST_INVALID if the file has an unknown kind, or if the options do not fit the file
 */
export function planImport(
  head: FileHead,
  options: ImportOptions,
  answers: Answers,
  context: Pick<ImportContext, 'calendar' | 'formats'>,
): ImportPlan {
  const zone = options.timeZone === undefined ? undefined : zoneOf(options.timeZone, context.calendar);
  const chosen = chosenPlan(head, options, answers, zone, context);
  const plan = withFileUnits(chosen, options.interval ?? chosen.routineInterval);
  if (plan.columns.every(({ kind }) => kind === 'left out')) {
    const heads = plan.columns
      .map(({ heading }) => heading)
      .join(', ')
      .slice(0, 500);
    throw new FileRefusal(
      [
        say('format-without-variable', { title: plan.title }),
        say('columns-are', { columns: heads }),
        ...encodingHint([heads], head.encoding),
      ],
      { headings: plan.columns.map(({ heading }) => heading) },
    );
  }
  checkUnits(plan);
  const { interval: own, ...time } = { ...plan.time, ...(zone && { zone }) };
  // With `days` equal to `all`, every row is moved to the end of its day. The option `stampInterval` must not move the rows a
  // second time.
  const requested = time.days === 'all' ? 0 : options.stampInterval;
  const interval = requested ?? own ?? (plan.format === undefined ? undefined : 0);
  const { routineInterval: described, ...planned } = plan;
  const routineInterval = options.interval ?? described ?? 0;
  return {
    ...planned,
    ...(routineInterval > 0 && { routineInterval }),
    time: interval === undefined ? time : { ...time, interval },
  };
}

function chosenPlan(
  head: FileHead,
  options: ImportOptions,
  answers: Answers,
  zone: ZonePlan | undefined,
  { calendar, formats }: Parameters<typeof planImport>[3],
): ImportPlan {
  const preset = options.preset === undefined ? undefined : formatNamed(options.preset, formats);
  const recognized =
    preset === undefined && describesTable(options)
      ? undefined
      : recognize(head, answers, preset === undefined ? formats : [preset]);
  if (recognized !== undefined) {
    const { importFormat, plan } = recognized;
    return withUnknownReported(
      { ...withOptions(plan, options), format: importFormat.name, doubt: undefined },
      head,
    );
  }
  if (preset !== undefined) throw new FileRefusal([say('preset-refused', { title: preset.title })]);
  assertText(head);
  const utc = localZone('utc', 'UTC', calendar);
  const fits = (text: string, format: string) => fileTimes([format]).instants(text, utc).length > 0;
  const questions = new Questions(answers);
  const plan = genericPlan(head, { ...options, ...(zone && { zone }) }, questions, fits);
  const chosen = withOptions(plan, { ...options, map: [], where: [] });
  return {
    ...withDayValues(chosen, head, questions, options.stampInterval),
    format: undefined,
    doubt: plan.isSure ? undefined : [say('columns-guessed', {})],
  };
}

/** The reasons for which an import format leaves out a column that it does not know. */
const UNKNOWN = /^(?:the service has no such variable|its unit is unknown)/;

/**
 * Adds a note to a plan (the description of how a file is read) if most columns are unknown. If some of their headings look
 * wrongly decoded, a person must also confirm the plan.
 */
function withUnknownReported(plan: ImportPlan, { encoding }: FileHead): ImportPlan {
  const unknown = plan.columns.flatMap((column) =>
    column.kind === 'left out' && UNKNOWN.test(textOf(column.reason, 'command')) ? [column.heading] : [],
  );
  const known = new Set(
    plan.columns.flatMap((column) => (column.kind === 'left out' ? [] : [column.heading])),
  );
  const isGarbledText = unknown.some(isGarbled);
  // Usually a note is added if there are more than twice as many unknown columns as known columns. Fewer unknown columns are
  // normal, because databases have many columns that are no variables of the service. If a heading looks wrongly decoded, a note
  // is added if there are more unknown columns than known columns.
  if (unknown.length <= (isGarbledText ? known.size : 2 * known.size)) return plan;
  const note = say('columns-mostly-unknown', { unknown: unknown.length, known: known.size });
  const notes = [...(plan.notes ?? []), note];
  if (!isGarbledText) return { ...plan, notes };
  const hint = encodingHint(unknown, encoding);
  return { ...plan, notes: [...notes, ...hint], doubt: [note, ...hint, say('confirm-plan', {})] };
}

/** Applies the options about single columns to a plan. */
function withOptions(plan: FilePlan, { map, leaveOut, missing, where }: ImportOptions): FilePlan {
  const { long } = plan;
  if (long !== undefined) {
    const others = plan.columns.filter(({ heading }) => !map.some(({ field }) => field === heading));
    const when = (text: string) => ({ at: long.name, texts: [text] });
    const mapped = map.map((mapping) =>
      mappedColumn(
        { kind: 'left out', at: long.value, heading: mapping.field, reason: '', when: when(mapping.field) },
        mapping,
      ),
    );
    return { ...plan, columns: [...mapped, ...others], missing: [...(plan.missing ?? []), ...missing] };
  }
  const headings = plan.columns.map(({ heading }) => heading);
  const unknown = [...map.map(({ field }) => field), ...leaveOut].find((name) => !headings.includes(name));
  if (unknown !== undefined) {
    throw invalid(`The file has no column ${JSON.stringify(unknown)}.${suggestion(unknown, headings)}`);
  }
  const mapped = new Map(map.map((column) => [column.field, column]));
  const variables = new Set(map.map(({ variable }) => variable));
  const columns = plan.columns.map((column): FilePlan['columns'][number] => {
    const { at, heading } = column;
    if (leaveOut.includes(heading)) return { kind: 'left out', at, heading, reason: say('left-out', {}) };
    const mapping = mapped.get(heading);
    if (mapping !== undefined) return mappedColumn(column, mapping);
    if (column.kind === 'left out' || !variables.has(column.variable)) return column;
    const reason = say('mapped-elsewhere', { variable: column.variable });
    return { kind: 'left out', at, heading, reason };
  });
  const place = (name: string) => {
    const column = plan.columns.find(({ heading }) => heading === name);
    if (column !== undefined) return column.at;
    throw invalid(`The file has no column ${JSON.stringify(name)}.${suggestion(name, headings)}`);
  };
  return {
    ...plan,
    columns,
    missing: [...(plan.missing ?? []), ...missing],
    rows: [...(plan.rows ?? []), ...rowFilters(where, place)],
  };
}

function mappedColumn(
  column: FilePlan['columns'][number] & { readonly when?: RowCondition },
  { variable, unit, kind, factor }: MappedColumn,
): FilePlan['columns'][number] {
  const { heading } = column;
  const stored = variableNamed(variable)?.unit ?? '';
  const known = column.kind === 'left out' || column.variable !== variable ? undefined : column.unit;
  const place = {
    ...column,
    variable,
    unit: unit ?? known ?? splitHeading(heading).unit ?? stored,
    ...(factor !== undefined && { factor }),
  };
  const isCounter = (kind ?? column.kind) === 'counter';
  const resets = column.kind === 'counter' ? column.resets : 'day';
  if (isCounter) return { ...place, kind: 'counter', resets };
  const isUnsure = kind === undefined && variable === 'precipitation_amount' && column.kind === 'left out';
  return { ...place, kind: 'value', ...(isUnsure && { isUnsure }) };
}

/** @throws DomainError REQUEST_INVALID for a unit that the catalogue does not have for the variable */
function checkUnits({ columns }: FilePlan): void {
  for (const column of columns) {
    if (column.kind === 'left out') continue;
    const variable = variableNamed(column.variable);
    if (variable !== undefined) converter(variable, column.readAs?.unit ?? column.unit, 'unit');
  }
}

function formatNamed(name: string, formats: ImportContext['formats']) {
  const format = formats.find((candidate) => candidate.name === name);
  if (format !== undefined) return format;
  const names = [...formats.map((candidate) => candidate.name), STATION_PRESET];
  throw invalid(
    `There is no preset ${JSON.stringify(name)}. Presets: ${names.join(', ')}.${suggestion(name, names)}`,
  );
}

/**
 * The name of the format for a list of stations. All other names are names of import formats. The list is no
 * import format, because its rows are stations and not observations.
 */
export const STATION_PRESET = 'meteostat-stations';

const KINDS: Readonly<Partial<Record<FileHead['kind'], string>>> = {
  zip: 'a zip archive in another archive: unpack it first',
  tar: 'a tar archive: unpack it, and import its files',
  gzip: 'compressed twice: decompress it first',
  xz: 'compressed with xz: decompress it first',
  pdf: 'a PDF: export the table as CSV',
  binary: 'a binary file of an unknown kind: export it as text, for example as CSV',
};

function assertText({ kind, tables }: FileHead): void {
  const reason = kind === 'sqlite' ? sqliteText(tables.map(({ name }) => name)) : KINDS[kind];
  if (reason !== undefined) throw invalid(`The file is ${reason}.`);
}

function sqliteText(tables: readonly string[]): string {
  const named = tables.length === 0 ? 'it has no tables' : `its tables are ${columnList(tables)}`;
  return `an SQLite file of an unknown program: ${named}`;
}

/** Parses a zone: `Europe/Oslo`, `+02:00`, `utc`, `station`, or `standard` for the standard time of the station all year. */
function zoneOf(text: string, calendar: Calendar): ZonePlan {
  if (/^(?:utc|z)$/i.test(text)) return 'utc';
  if (text === 'station') return 'station';
  if (text === 'standard') return 'station-standard';
  const offset = offsetOf(text);
  if (offset !== undefined) return { offset };
  if (calendar.hasZone(text)) return { name: text };
  throw invalid(
    `There is no time zone ${JSON.stringify(text)}. Give an IANA name, like Europe/Oslo, or an offset, like +01:00.`,
  );
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
