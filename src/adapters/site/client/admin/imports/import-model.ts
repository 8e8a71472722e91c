import type { Reply } from '../../api.js';

export type ImportJob = Reply<'/v1/imports/{id}', 'get'>['import'];
export type ListedImport = Reply<'/v1/imports', 'get'>['imports'][number];
export type ImportState = ImportJob['state'];
export type ImportOptions = ImportJob['options'];
type Plan = NonNullable<ImportJob['plan']>['plans'][number];

/** The data of an event of `GET /v1/imports/{id}/events`. */
export type ImportChange = Pick<ImportJob, 'state' | 'number' | 'progress' | 'error' | 'revision'> & {
  readonly rejected: number;
};

/** The states in which an import waits for a person, or works. Only one import can be in such a state. */
const OPEN: ReadonlySet<ImportState> = new Set(['receiving', 'planning', 'asking', 'ready', 'writing']);

export const isOpen = (state: ImportState) => OPEN.has(state);

/** A column of the file as a person may correct it. */
export interface ColumnChoice {
  readonly heading: string;
  /** Empty for a column that is not imported. */
  readonly variable: string;
  readonly unit: string;
  /** Undefined if the service finds out whether the values are amounts or a running total. */
  readonly kind: 'amount' | 'counter' | undefined;
}

/** The columns of a plan: first the imported columns, then the others. */
export function choicesOf({ columns, left_out: leftOut }: Plan): ColumnChoice[] {
  const read = columns.map(({ heading, variable, unit, kind }) => ({
    heading,
    variable,
    unit,
    kind: kind === 'counter' ? kind : undefined,
  }));
  const others = leftOut.flatMap(({ headings }) =>
    headings.map((heading) => ({ heading, variable: '', unit: '', kind: undefined })),
  );
  return [...read, ...others];
}

/**
 * The options for a plan with corrected columns. In a table of no import format, the options name every imported column, because
 * the service leaves out all others. In a file of an import format, they name the changed columns only.
 *
 * @param before the columns of the plan
 * @param after the columns as the person wants them, in the same order
 */
export function correctedOptions(
  { format }: Plan,
  options: ImportOptions,
  before: readonly ColumnChoice[],
  after: readonly ColumnChoice[],
): ImportOptions {
  const { columns: earlier = [], leave_out: leftOut = [], ...others } = options;
  const changed = after.filter((choice, index) => !isEqual(choice, before[index]));
  const named = new Set(changed.map(({ heading }) => heading));
  const mapped = (format === null ? after : changed).filter(({ variable }) => variable !== '');
  const kept = format === null ? [] : earlier.filter(({ column }) => !named.has(column));
  const leave_out = [
    ...leftOut.filter((heading) => !named.has(heading)),
    ...changed.filter(({ variable }) => format !== null && variable === '').map(({ heading }) => heading),
  ];
  const columns = [
    ...kept,
    ...mapped.map(({ heading, variable, unit, kind }) => ({
      column: heading,
      variable,
      ...(unit !== '' && { unit }),
      ...(kind !== undefined && { kind }),
    })),
  ];
  return {
    ...others,
    ...(columns.length > 0 && { columns }),
    ...(leave_out.length > 0 && { leave_out }),
  };
}

const listOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The options that have a field, by the name of the field, from a text that is not empty. */
const READ_FIELDS = {
  time_zone: (text) => ({ time_zone: text }),
  preset: (text) => ({ preset: text }),
  only: (text) => ({ only: text }),
  time_column: (text) => ({ time_column: listOf(text) }),
  time_format: (text) => ({ time_format: [text] }),
  header: (text) => ({ header: text !== 'no' }),
  skip_lines: (text) => ({ skip_lines: Number(text) }),
  decimal: (text) => ({ decimal: text === ',' ? ',' : '.' }),
  missing: (text) => ({ missing: listOf(text) }),
} as const satisfies Readonly<Partial<Record<keyof ImportOptions, (text: string) => ImportOptions>>>;

type FieldName = keyof typeof READ_FIELDS;

/** The texts of the fields, and the answers by the key of their question. */
export type Fields = Readonly<Record<string, string>>;

/** The texts of the fields as they are shown first. An empty text means that the service finds out. */
export function fieldsOf(options: ImportOptions): Readonly<Record<FieldName, string>> {
  return {
    time_zone: options.time_zone ?? '',
    preset: options.preset ?? '',
    only: options.only ?? '',
    time_column: options.time_column?.join(', ') ?? '',
    time_format: options.time_format?.[0] ?? '',
    header: options.header === false ? 'no' : '',
    skip_lines: options.skip_lines?.toString() ?? '',
    decimal: options.decimal ?? '',
    missing: options.missing?.join(', ') ?? '',
  };
}

/** The options with the changed texts of the form. An option whose text was not changed stays as it is. */
export function typedOptions(options: ImportOptions, typed: Fields): ImportOptions {
  const names = Object.keys(READ_FIELDS) as FieldName[];
  const shown = fieldsOf(options);
  const changed = names.filter((name) => (typed[name] ?? shown[name]) !== shown[name]);
  const kept = Object.entries(options).filter(([name]) => !changed.includes(name as FieldName));
  const read = changed.map((name) => {
    const text = typed[name] ?? '';
    return text === '' ? {} : READ_FIELDS[name](text);
  });
  return Object.assign({}, Object.fromEntries(kept), ...read) as ImportOptions;
}

/** What a person has chosen and typed in the form of an import. */
export interface Draft {
  /** The columns of the first plan. */
  readonly choices: readonly ColumnChoice[];
  /** The texts of the fields, and the answers by the key of their question. Only the fields that were touched. */
  readonly fields: Fields;
}

/** The form as it is shown first: everything is as the service has planned it. */
export function draftOf({ plan }: ImportJob): Draft {
  const [first] = plan?.plans ?? [];
  return { choices: first === undefined ? [] : choicesOf(first), fields: {} };
}

/**
 * Why the columns cannot be corrected now; undefined if they can.
 *
 * - `questions`: the corrected columns of a table of no format name the units of all columns. This would answer the open questions.
 * - `files`: a correction names columns that other files of the archive may not have. These files would be left out.
 */
export function lockOf({ plan, questions }: ImportJob): 'questions' | 'files' | undefined {
  const plans = plan?.plans ?? [];
  if (plans.length > 1) return 'files';
  return questions.length > 0 && plans[0]?.format === null ? 'questions' : undefined;
}

/** The settings with which no file of an archive was lost, and the files that are not imported with them. */
export interface Complete {
  readonly options: ImportOptions;
  readonly skipped: readonly string[];
}

/** The files that would be imported with earlier settings, but not with the present ones. */
export function lostFiles(complete: Complete | undefined, { plan }: ImportJob): string[] {
  const skipped = plan?.skipped.map(({ file }) => file) ?? [];
  return complete === undefined ? [] : skipped.filter((file) => !complete.skipped.includes(file));
}

/** @returns the newest settings with which no file was lost */
export function completeOf(before: Complete | undefined, job: ImportJob): Complete | undefined {
  const { plan, options } = job;
  if (plan === null || lostFiles(before, job).length > 0) return before;
  return { options, skipped: plan.skipped.map(({ file }) => file) };
}

/** What a person says about how a file is read. */
export interface Settings {
  readonly answers?: Record<string, string>;
  readonly options?: ImportOptions;
}

/**
 * Everything in the form that the service does not know yet, for one request. The shown plan is what would be written only while
 * this is undefined.
 */
export function changedSettings(job: ImportJob, { choices, fields }: Draft): Settings | undefined {
  const { plan, questions, options } = job;
  const [first] = plan?.plans ?? [];
  const before = first === undefined ? [] : choicesOf(first);
  const given = questions.flatMap(({ key }) => {
    const answer = fields[key] ?? '';
    return answer === '' ? [] : [[key, answer] as const];
  });
  const isCorrected =
    lockOf(job) === undefined && choices.some((choice, index) => !isEqual(choice, before[index]));
  const corrected =
    first === undefined || !isCorrected ? options : correctedOptions(first, options, before, choices);
  const shown: Fields = fieldsOf(options);
  const isTyped = Object.entries(shown).some(([name, text]) => (fields[name] ?? text) !== text);
  if (given.length === 0 && !isCorrected && !isTyped) return undefined;
  return {
    ...(given.length > 0 && { answers: Object.fromEntries(given) }),
    ...((isCorrected || isTyped) && { options: typedOptions(corrected, fields) }),
  };
}

function isEqual(a: ColumnChoice, b: ColumnChoice | undefined): boolean {
  return a.variable === b?.variable && a.unit === b.unit && a.kind === b.kind;
}
