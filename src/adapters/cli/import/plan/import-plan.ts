import { DomainError } from '#domain/domain-error.js';
import { suggestion } from '#domain/nearest-name.js';
import type { Calendar } from '#application/ports/calendar.js';
import { encodingHint, isGarbled } from '#adapters/formats/files/encodings.js';
import type { FileHead } from '#adapters/formats/files/file-head.js';
import type { RowCondition, FilePlan, ZonePlan } from '#adapters/formats/files/file-plan.js';
import { columnList, type MappedColumn } from '#adapters/formats/files/generic-columns.js';
import { genericPlan } from '#adapters/formats/files/generic-plan.js';
import { type Answers, Questions } from '#adapters/formats/files/questions.js';
import { splitHeading } from '#adapters/formats/files/unit-names.js';
import { IMPORT_FORMATS, recognize } from '#adapters/formats/import-formats/import-formats.js';
import { fileTimes } from '#adapters/formats/tables/file-times.js';
import { localZone, offsetOf } from '#adapters/formats/tables/local-zone.js';
import { withDayValues } from './day-values.js';
import { describesTable, type ImportOptions } from './import-options.js';
import { variableNamed } from '#domain/weather/variables.js';
import { converter } from '#domain/weather/units.js';

/** How a file is read, and how sure that is. */
export interface ImportPlan extends FilePlan {
  /** Name of the make; undefined for a table of none. */
  readonly make: string | undefined;
  /** Why the columns may be taken wrongly, and what to do: such a plan is carried out after a yes. Undefined where nothing is in doubt. */
  readonly doubt: string | undefined;
}

/**
 * @param answers to questions, by options or by a person
 * @throws DomainError REQUEST_INVALID when the file is none of a known kind, or the options do not fit it
 */
export function planImport(
  head: FileHead,
  options: ImportOptions,
  answers: Answers,
  calendar: Calendar,
): ImportPlan {
  const zone = options.timeZone === undefined ? undefined : zoneOf(options.timeZone, calendar);
  const plan = chosenPlan(head, options, answers, zone, calendar);
  if (plan.columns.every(({ kind }) => kind === 'left out')) {
    const heads = plan.columns
      .map(({ heading }) => heading)
      .join(', ')
      .slice(0, 500);
    throw invalid(
      `${plan.title}: no column is a variable of the service. --map COLUMN=VARIABLE:UNIT says that one is. Columns: ${heads}.${encodingHint([heads], head.encoding)}`,
    );
  }
  checkUnits(plan);
  const { interval: own, ...time } = { ...plan.time, ...(zone && { zone }) };
  // Dates are moved to the end of their day, so no interval is added.
  const given = time.days === 'all' ? 0 : options.stampInterval;
  const interval = given ?? own ?? (plan.make === undefined ? undefined : 0);
  const { routineInterval: described, ...rest } = plan;
  const routineInterval = options.interval ?? described ?? 0;
  return {
    ...rest,
    ...(routineInterval > 0 && { routineInterval }),
    time: interval === undefined ? time : { ...time, interval },
  };
}

function chosenPlan(
  head: FileHead,
  options: ImportOptions,
  answers: Answers,
  zone: ZonePlan | undefined,
  calendar: Calendar,
): ImportPlan {
  const makes = options.preset === undefined ? IMPORT_FORMATS : [makeNamed(options.preset)];
  const found =
    options.preset === undefined && describesTable(options) ? undefined : recognize(head, answers, makes);
  if (found !== undefined) {
    const { make, plan } = found;
    return withUnknownReported({ ...withOptions(plan, options), make: make.name, doubt: undefined }, head);
  }
  if (options.preset !== undefined) throw invalid(`The file is none of ${makeNamed(options.preset).title}.`);
  assertText(head);
  const utc = localZone('utc', 'UTC', calendar);
  const fits = (text: string, format: string) => fileTimes([format]).instants(text, utc).length > 0;
  const questions = new Questions(answers);
  const plan = genericPlan(head, { ...options, ...(zone && { zone }) }, questions, fits);
  const chosen = withOptions(plan, { ...options, map: [] });
  return {
    ...withDayValues(chosen, head, questions, options.stampInterval),
    make: undefined,
    doubt: plan.isSure ? undefined : BY_HEADINGS,
  };
}

const BY_HEADINGS =
  'the columns were taken by their headings. --yes takes them so; --map COLUMN=VARIABLE:UNIT says what they are.';
/** Reasons of columns that a make does not know. */
const UNKNOWN = /^(?:no variable of the service|its unit is not known)/;

/** A plan of a make that says it where most columns are not known. In doubt if the encoding looks wrong. */
function withUnknownReported(plan: ImportPlan, { encoding }: FileHead): ImportPlan {
  const unknown = plan.columns.flatMap((column) =>
    column.kind === 'left out' && UNKNOWN.test(column.reason) ? [column.heading] : [],
  );
  const taken = new Set(
    plan.columns.flatMap((column) => (column.kind === 'left out' ? [] : [column.heading])),
  );
  const isGarbledText = unknown.some(isGarbled);
  // Databases have many columns that the service has no variable for.
  if (unknown.length <= (isGarbledText ? taken.size : 2 * taken.size)) return plan;
  const told = `Most columns are not known: ${unknown.length} are left out, ${taken.size} taken.`;
  const notes = [...(plan.notes ?? []), told];
  if (!isGarbledText) return { ...plan, notes };
  const hint = encodingHint(unknown, encoding);
  return { ...plan, notes: [...notes, hint.trim()], doubt: `${told}${hint} --yes takes the file so.` };
}

/** A plan with what the options say of single columns. */
function withOptions(plan: FilePlan, { map, leaveOut, missing }: ImportOptions): FilePlan {
  const { long } = plan;
  if (long !== undefined) {
    const others = plan.columns.filter(({ heading }) => !map.some(({ field }) => field === heading));
    const when = (text: string) => ({ at: long.name, texts: [text] });
    const mapped = map.map((told) =>
      mappedColumn(
        { kind: 'left out', at: long.value, heading: told.field, reason: '', when: when(told.field) },
        told,
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
    if (leaveOut.includes(heading)) return { kind: 'left out', at, heading, reason: '--leave-out' };
    const told = mapped.get(heading);
    if (told !== undefined) return mappedColumn(column, told);
    if (column.kind === 'left out' || !variables.has(column.variable)) return column;
    return { kind: 'left out', at, heading, reason: `--map gives ${column.variable} to another column` };
  });
  return { ...plan, columns, missing: [...(plan.missing ?? []), ...missing] };
}

function mappedColumn(
  column: FilePlan['columns'][number] & { readonly when?: RowCondition },
  { variable, unit, kind }: MappedColumn,
): FilePlan['columns'][number] {
  const { heading } = column;
  const stored = variableNamed(variable)?.unit ?? '';
  const known = column.kind === 'left out' || column.variable !== variable ? undefined : column.unit;
  const place = { ...column, variable, unit: unit ?? known ?? splitHeading(heading).unit ?? stored };
  const isCounter = (kind ?? column.kind) === 'counter';
  const resets = column.kind === 'counter' ? column.resets : 'day';
  if (isCounter) return { ...place, kind: 'counter', resets };
  const isUnsure = kind === undefined && variable === 'precipitation_amount' && column.kind === 'left out';
  return { ...place, kind: 'value', ...(isUnsure && { isUnsure }) };
}

/** @throws DomainError REQUEST_INVALID for a unit that the catalogue does not know for the variable */
function checkUnits({ columns }: FilePlan): void {
  for (const column of columns) {
    if (column.kind === 'left out') continue;
    const variable = variableNamed(column.variable);
    if (variable !== undefined) converter(variable, column.unit, 'unit');
  }
}

function makeNamed(name: string) {
  const make = IMPORT_FORMATS.find((candidate) => candidate.name === name);
  if (make !== undefined) return make;
  const names = [...IMPORT_FORMATS.map((candidate) => candidate.name), STATION_PRESET];
  throw invalid(
    `There is no preset ${JSON.stringify(name)}. Presets: ${names.join(', ')}.${suggestion(name, names)}`,
  );
}

/** Not a make: its rows are stations. */
export const STATION_PRESET = 'meteostat-stations';

const KINDS: Readonly<Partial<Record<FileHead['kind'], string>>> = {
  zip: 'a zip archive in another archive: unpack it first',
  gzip: 'packed twice: unpack it first',
  xz: 'packed with xz: unpack it first',
  pdf: 'a PDF',
  binary: 'no text',
};

function assertText({ kind, tables }: FileHead): void {
  const reason = kind === 'sqlite' ? sqliteText(tables.map(({ name }) => name)) : KINDS[kind];
  if (reason !== undefined) throw invalid(`The file is ${reason}.`);
}

function sqliteText(tables: readonly string[]): string {
  const named = tables.length === 0 ? 'it has no tables' : `its tables are ${columnList(tables)}`;
  return `an SQLite file of no program that is known: ${named}`;
}

/** `Europe/Oslo`, `+02:00`, `utc`, `station`, or `standard` for the standard time of the station all year. */
function zoneOf(text: string, calendar: Calendar): ZonePlan {
  if (/^(?:utc|z)$/i.test(text)) return 'utc';
  if (text === 'station') return 'station';
  if (text === 'standard') return 'station-standard';
  const offset = offsetOf(text);
  if (offset !== undefined) return { offset };
  if (calendar.hasZone(text)) return { name: text };
  throw invalid(
    `There is no time zone ${JSON.stringify(text)}: an IANA name is needed, like Europe/Oslo, or an offset, like +01:00.`,
  );
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
