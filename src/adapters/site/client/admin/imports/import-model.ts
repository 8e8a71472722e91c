import type { Reply } from '../../api.js';

export type ImportJob = Reply<'/v1/imports/{id}', 'get'>['import'];
export type ListedImport = Reply<'/v1/imports', 'get'>['imports'][number];
export type ImportFormat = Reply<'/v1/imports', 'get'>['formats'][number];
export type ImportState = ImportJob['state'];
export type ImportOptions = ImportJob['options'];
type Plan = NonNullable<ImportJob['plan']>['plans'][number];

/** The codes of the sentences that the service says about files. */
export type ReasonCode =
  | ImportJob['questions'][number]['code']
  | ImportJob['rejections'][number]['reasons'][number]['code']
  | NonNullable<ImportJob['error']>['reasons'][number]['code'];

/** The data of an event of `GET /v1/imports/{id}/events`. */
export type ImportChange = Pick<
  ImportJob,
  'state' | 'number' | 'progress' | 'checked' | 'error' | 'revision'
> & {
  readonly rejected: number;
};

/** The states in which an import waits for a person, or works. Only one import can be in such a state. */
const OPEN: ReadonlySet<ImportState> = new Set(['receiving', 'planning', 'asking', 'ready', 'writing']);

export const isOpen = (state: ImportState) => OPEN.has(state);

/** The state of an import, and how much of it quality control has checked. */
export type CheckedImport = Pick<ListedImport, 'state' | 'checked'>;

/** Whether quality control has not finally checked all rows of an import yet. */
export const isChecking = ({ state, checked }: CheckedImport) =>
  state === 'done' && checked !== null && checked < 1;

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
  { format }: Pick<Plan, 'format'>,
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
    ...mapped.map(({ heading, variable, unit, kind }) => {
      const factor = earlier.find(({ column }) => column === heading)?.factor;
      return {
        column: heading,
        variable,
        ...(unit !== '' && { unit }),
        ...(kind !== undefined && { kind }),
        ...(factor !== undefined && { factor }),
      };
    }),
  ];
  return {
    ...others,
    ...(columns.length > 0 && { columns }),
    ...(leave_out.length > 0 && { leave_out }),
  };
}

/** The options that have a field, in the order of the form, with the form of their values. A pattern may have commas. */
export const FIELDS = {
  time_zone: 'text',
  preset: 'choice',
  time_column: 'list',
  time_format: 'patterns',
  date_order: 'choice',
  date: 'text',
  ambiguous: 'choice',
  stamp_interval: 'number',
  interval: 'number',
  header: 'no',
  skip_lines: 'number',
  delimiter: 'choice',
  decimal: 'choice',
  encoding: 'choice',
  missing: 'list',
  where: 'list',
  trace: 'list',
  variable_column: 'text',
  value_column: 'text',
  only: 'text',
  issued: 'text',
} as const satisfies Readonly<Partial<Record<keyof ImportOptions, string>>>;

export type FieldName = keyof typeof FIELDS;

/** The names of all fields. */
export const NAMES = Object.keys(FIELDS) as FieldName[];

/** The texts of the fields, and the answers by the key of their question. */
export type Fields = Readonly<Record<string, string>>;

/** The texts of the fields as they are shown first. An empty text means that the service finds out. */
export function fieldsOf(options: ImportOptions): Readonly<Record<FieldName, string>> {
  const shown = NAMES.map((name) => {
    const value = options[name];
    if (FIELDS[name] === 'no') return [name, value === false ? 'no' : ''];
    return [name, Array.isArray(value) ? value.join(separatorOf(name)) : String(value ?? '')];
  });
  return Object.fromEntries(shown) as Record<FieldName, string>;
}

function separatorOf(name: FieldName): string {
  return FIELDS[name] === 'patterns' ? ' | ' : ', ';
}

function valueOf(name: FieldName, text: string): unknown {
  const form = FIELDS[name];
  if (form === 'number') return Number(text);
  if (form === 'no') return text !== 'no';
  if (form === 'text' || form === 'choice') return text;
  return text
    .split(separatorOf(name).trim())
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The options with the changed texts of the form. An option whose text was not changed stays as it is. */
export function typedOptions(options: ImportOptions, typed: Fields): ImportOptions {
  const shown = fieldsOf(options);
  const changed = NAMES.filter((name) => (typed[name] ?? shown[name]) !== shown[name]);
  const kept = Object.entries(options).filter(([name]) => !changed.includes(name as FieldName));
  const read = changed.flatMap((name) => {
    const text = typed[name] ?? '';
    return text === '' ? [] : [[name, valueOf(name, text)]];
  });
  return Object.fromEntries([...kept, ...read]) as ImportOptions;
}

/** What a person has chosen and typed in the form of an import. */
export interface Draft {
  /** The columns of the first plan. */
  readonly choices: readonly ColumnChoice[];
  /** The texts of the fields, and the answers by the key of their question. Only the fields that were touched. */
  readonly fields: Fields;
}

/** The columns of the first plan. Without a plan, the columns of which the service wants to know the variables. */
function columnsOf({ plan, error }: ImportJob): readonly ColumnChoice[] {
  const [first] = plan?.plans ?? [];
  if (first !== undefined) return choicesOf(first);
  return (error?.headings ?? []).map((heading) => ({ heading, variable: '', unit: '', kind: undefined }));
}

/** The form as it is shown first: everything is as the service has planned it. */
export function draftOf(job: ImportJob): Draft {
  return { choices: columnsOf(job), fields: {} };
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
  const [first = { format: null }] = plan?.plans ?? [];
  const before = columnsOf(job);
  const given = questions.flatMap(({ key }) => {
    const answer = fields[key] ?? '';
    return answer === '' ? [] : [[key, answer] as const];
  });
  const isCorrected =
    lockOf(job) === undefined && choices.some((choice, index) => !isEqual(choice, before[index]));
  const corrected = isCorrected ? correctedOptions(first, options, before, choices) : options;
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
