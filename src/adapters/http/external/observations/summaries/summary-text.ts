import type { SummaryPage } from '#application/observations/read/summarize.js';
import type { SummaryRow } from '#application/observations/read/summary-rows.js';
import { unitIn } from '#domain/weather/units.js';
import type { Variable } from '#domain/weather/variables.js';
import { type SummaryField, summaryFields, type SummaryStyle } from './summary-fields.js';

/** The fields of each variable of a reply. */
export type SummaryColumns = readonly {
  readonly variable: Variable;
  /** Index of the variable in the rows. */
  readonly index: number;
  readonly fields: readonly SummaryField[];
}[];

/** Writes a reply: its start, the rows of each page, and its end. */
export interface SummaryText {
  readonly start: string;
  readonly rows: (page: Pick<SummaryPage, 'rows'>) => Generator<string>;
  readonly end: string;
}

/** The variables that have at least one of the requested fields. */
export function summaryColumns(variables: readonly Variable[], style: SummaryStyle): SummaryColumns {
  return variables
    .map((variable, index) => ({ variable, index, fields: summaryFields(variable, style) }))
    .filter(({ fields }) => fields.length > 0);
}

/**
 * Writes JSON, one text for each row. Creating objects for JSON.stringify would take twice as long.
 *
 * @param before the fields before the rows
 */
export function jsonSummaries(
  before: object,
  columns: SummaryColumns,
  { format }: Pick<SummaryStyle, 'format'>,
): SummaryText {
  const written = columns.map(({ variable, index, fields }) => ({
    index,
    start: `,${JSON.stringify(variable.name)}:{`,
    fields: fields.map(({ name, text }, at) => ({ start: `${at === 0 ? '' : ','}"${name}":`, text })),
  }));
  const textOf = (row: SummaryRow): string => {
    let all = `{"start":"${format(row.start)}","end":"${format(row.end)}","complete":${row.complete}`;
    for (const { index, start, fields } of written) {
      all += start;
      for (const field of fields) all += field.start + field.text(row, index);
      all += '}';
    }
    return `${all}}`;
  };
  let separator = '';
  return {
    start: `${JSON.stringify(before).slice(0, -1)},"summaries":[`,
    *rows({ rows }) {
      for (const row of rows) {
        yield separator + textOf(row);
        separator = ',';
      }
    },
    end: ']}',
  };
}

/** Writes CSV, with a line for each interval and a column for each field of JSON. Null becomes an empty cell. */
export function csvSummaries(
  columns: SummaryColumns,
  { format, system }: Pick<SummaryStyle, 'format' | 'system'>,
): SummaryText {
  return {
    start: csvHeadings(columns, system),
    *rows({ rows }) {
      for (const row of rows) yield csvLine(row, columns, format);
    },
    end: '',
  };
}

/** The first line of CSV. */
export function csvHeadings(columns: SummaryColumns, system: SummaryStyle['system']): string {
  const headings = columns.flatMap(({ variable, fields }) =>
    fields.map((field) => headingOf(variable, field, system)),
  );
  return `${['start', 'end', 'complete', ...headings].join(',')}\r\n`;
}

/** The fields of a variable for CSV. `index` is the index of the variable in the row, or -1 if the row does not have the variable. */
interface Cells {
  readonly fields: readonly SummaryField[];
  readonly index: number;
}

/** The line of an interval. */
export function csvLine(row: SummaryRow, columns: readonly Cells[], format: SummaryStyle['format']): string {
  let line = `${format(row.start)},${format(row.end)},${row.complete ?? ''}`;
  for (const { fields, index } of columns)
    for (const { text } of fields) line += index < 0 ? ',' : `,${cellOf(text(row, index))}`;
  return `${line}\r\n`;
}

/** The heading of a column: `air_temperature.mean (°F)`. The unit is left out if it is the stored unit of the variable. */
function headingOf(
  variable: Variable,
  { name, unit, isMeasured }: SummaryField,
  system: SummaryStyle['system'],
): string {
  const heading = `${variable.name}.${name}`;
  const own = isMeasured === true ? unitIn(system, variable) : unit;
  return own === undefined || own === '1' || (isMeasured && own === variable.unit)
    ? heading
    : `${heading} (${own})`;
}

/**
 * Converts the JSON text of a field to a cell of CSV. The cell needs no quotes, because no text of a field contains a quote or a
 * comma.
 */
function cellOf(json: string): string {
  if (json === 'null') return '';
  return json.startsWith('"') ? json.slice(1, -1) : json;
}

/** The units of a reply: the unit of each variable, and the unit of each field whose unit is not the unit of its variable. */
export function summaryUnits(
  columns: SummaryColumns,
  system: SummaryStyle['system'],
): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap(({ variable, fields }) => [
      [variable.name, unitIn(system, variable)] as const,
      ...fields.flatMap(({ name, unit }) =>
        unit === undefined || name === 'missing' || unit === '1'
          ? []
          : [[`${variable.name}.${name}`, unit] as const],
      ),
    ]),
  );
}
