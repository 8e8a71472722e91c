import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import type { Rejection, SentObservations } from '../../../application/record-observations.js';
import { unitIn, type UnitSystem } from '../../../domain/units.js';
import { variableNamed, VARIABLES } from '../../../domain/variables.js';
import { ProtocolError } from '../errors.js';

/** With a date, a time and an offset, so that nobody has to guess. */
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

interface SentColumns {
  readonly time: readonly unknown[];
  readonly units: UnitSystem | Readonly<Record<string, string>>;
  readonly [variable: string]: unknown;
}

/** Columns of JSON. What is no time or no number refuses its row. */
export function readColumns(body: object): SentObservations {
  const { time, units, ...columns } = body as SentColumns;
  const rejections: Rejection[] = [];
  const times = Float64Array.from(time, (value, index) => {
    const parsed = typeof value === 'number' ? value * 1000 : parseTime(value);
    if (!Number.isFinite(parsed)) rejections.push({ index, field: 'time', reason: 'is no time' });
    return Number.isFinite(parsed) ? parsed : Number.NaN;
  });
  const values = new Map<string, Float64Array>();
  for (const [name, column] of Object.entries(columns)) {
    if (column === undefined) continue;
    const numbers = Float64Array.from(column as unknown[], (value, index) => {
      if (value === null) return Number.NaN;
      if (typeof value === 'number') return value;
      rejections.push({ index, field: name, reason: 'is no number' });
      return Number.NaN;
    });
    values.set(name, numbers);
  }
  return { times, values, units: namedUnits(units), rejections };
}

/** CSV with a header; an empty field is absent. @throws ProtocolError REQUEST_INVALID when it is none, with the line */
export function readCsv(text: string): SentObservations {
  const [header = [], ...rows] = parseRows(text);
  const at = header.indexOf('time');
  if (at === -1) throw new ProtocolError('REQUEST_INVALID', 'The CSV has no column time.');
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (twice !== undefined) throw new ProtocolError('REQUEST_INVALID', `The CSV has ${twice} twice.`);
  const rejections: Rejection[] = [];
  const read = (field: string, column: number, parse: (text: string) => number, reason: string) =>
    Float64Array.from(rows, (row, index) => {
      const parsed = parse(row[column]?.trim() ?? '');
      if (Number.isFinite(parsed) || (field !== 'time' && row[column]?.trim() === '')) return parsed;
      rejections.push({ index, field, reason });
      return Number.NaN;
    });
  const times = read(
    'time',
    at,
    (value) => (NUMBER.test(value) ? Number(value) * 1000 : parseTime(value)),
    'is no time',
  );
  const values = new Map<string, Float64Array>();
  for (const [column, name] of header.entries()) {
    // What a reply of ours has beside the variables.
    if (column === at || name === 'quality') continue;
    values.set(
      name,
      read(name, column, (value) => (NUMBER.test(value) ? Number(value) : Number.NaN), 'is no number'),
    );
  }
  return { times, values, units: {}, rejections };
}

function parseRows(text: string): string[][] {
  try {
    return parseCsv(text, { bom: true, skip_empty_lines: true, relax_column_count: false });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ProtocolError(
      'REQUEST_INVALID',
      `The CSV is broken: ${error.code} at line ${String(error['lines'])}.`,
    );
  }
}

export function parseTime(value: unknown): number {
  return typeof value === 'string' && ISO.test(value) ? Date.parse(value) : Number.NaN;
}

function namedUnits(units: SentColumns['units']): Readonly<Record<string, string>> {
  if (typeof units !== 'string') {
    const unknown = Object.keys(units).find((name) => variableNamed(name) === undefined);
    if (unknown === undefined) return units;
    throw new ProtocolError('REQUEST_INVALID', `units: there is no variable ${JSON.stringify(unknown)}.`);
  }
  return Object.fromEntries(VARIABLES.map((variable) => [variable.name, unitIn(units, variable)]));
}
