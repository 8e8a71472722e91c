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

/** The options with the texts of the form. An empty text means that the service finds out. */
export function typedOptions(options: ImportOptions, typed: Readonly<Record<string, string>>): ImportOptions {
  const { time_zone: _zone, time_column: _column, time_format: _format, ...others } = options;
  const { time_zone: zone = '', time_column: columns = '', time_format: format = '' } = typed;
  const headings = columns.split(',').map((heading) => heading.trim());
  return {
    ...others,
    ...(zone !== '' && { time_zone: zone }),
    ...(columns !== '' && { time_column: headings.filter((heading) => heading !== '') }),
    ...(format !== '' && { time_format: [format] }),
  };
}

function isEqual(a: ColumnChoice, b: ColumnChoice | undefined): boolean {
  return a.variable === b?.variable && a.unit === b.unit && a.kind === b.kind;
}
