import type { Readable } from 'node:stream';
import { DomainError } from '../../../domain/domain-error.js';
import { quoted } from '../../../domain/quoted.js';
import { readHeading } from '../../../domain/weather/units.js';
import { variableNamed } from '../../../domain/weather/variables.js';
import { type CsvRecord, csvRecords } from '../csv/csv-reader.js';
import { MAX_LINE } from '../text/line-reader.js';
import { NUMBER } from '../text/number.js';
import type { TimeFormat } from '../text/time-format.js';
import { chunksOf } from './chunks-of.js';
import type { FileColumn, FileRow } from './file-row.js';
import { readAhead } from './read-ahead.js';
import { type Ambiguous, type TimedRow, TimeOrder } from './time-order.js';

export interface CsvPlan {
  readonly delimiter: string;
  /** The column with the station's id, or the id of all rows. */
  readonly station:
    { readonly column: string; readonly rename?: (text: string) => string } | { readonly id: string };
  readonly timeColumn: string;
  readonly timeFormat: TimeFormat;
  /** Which instant a local time is that comes twice. */
  readonly ambiguous: Ambiguous;
  /** When undefined, the columns that are named as variables are these, with the unit in the heading or the stored one. */
  readonly columns: readonly FileColumn[] | undefined;
  /** Texts that mean: no value. The empty one always does. */
  readonly missing: readonly string[];
}

/** Records that are read to find out whether a file begins with the oldest or the newest row. */
const RECORDS_AHEAD = 1000;
/** The replacement character, which decoders of UTF-8 write for invalid bytes. */
const REPLACEMENT = '\ufffd';

export interface CsvFile {
  readonly columns: readonly FileColumn[];
  /** The rows in the order of the file. A row that cannot be read is reported with its line, and reading continues. */
  readonly rows: AsyncIterable<FileRow>;
}

/**
 * Opens a CSV file and reads its header.
 *
 * @throws DomainError REQUEST_INVALID when a column is not there, or stands there twice
 */
export async function openCsv(source: Readable, plan: CsvPlan): Promise<CsvFile> {
  const records = csvRecords(chunksOf(source), plan.delimiter);
  const first = await records.next();
  if (first.done === true) throw new DomainError('REQUEST_INVALID', 'The file is empty.');
  const { fields: names, fault, line } = first.value;
  if (fault !== undefined) throw invalid(`The header cannot be read: ${fault} at line ${line}.`);
  const header = readHeader(names, plan);
  return { columns: header.columns, rows: rows() };

  async function* rows(): AsyncGenerator<FileRow> {
    const ahead = await readAhead(records, RECORDS_AHEAD);
    const timed = ahead.first.map(({ fields }) => timedRow(fields, header, plan));
    const order = new TimeOrder(plan.ambiguous, timed);
    for await (const record of ahead.all) yield readRow(record, header, plan, order);
  }
}

interface Header {
  readonly width: number;
  readonly station: number | undefined;
  readonly time: number;
  readonly columns: readonly FileColumn[];
  /** Of `columns` in a record. */
  readonly places: readonly number[];
}

function readHeader(names: readonly string[], plan: CsvPlan): Header {
  const trimmed = names.map((name) => name.trim());
  const place = (name: string): number => {
    const at = trimmed.indexOf(name);
    if (at === -1) {
      const there = trimmed.map((text) => JSON.stringify(text).slice(1, -1)).join(', ');
      throw invalid(`The file has no column ${JSON.stringify(name)}; it has: ${there.slice(0, 500)}.`);
    }
    if (trimmed.includes(name, at + 1)) throw invalid(`The file has two columns ${JSON.stringify(name)}.`);
    return at;
  };
  const columns = plan.columns ?? columnsByName(trimmed);
  return {
    width: names.length,
    station: 'column' in plan.station ? place(plan.station.column) : undefined,
    time: place(plan.timeColumn),
    columns,
    places: columns.map(({ field }) => place(field)),
  };
}

/** @throws DomainError REQUEST_INVALID when no column is named as a variable, or two are one variable */
function columnsByName(headings: readonly string[]): FileColumn[] {
  const columns = headings.flatMap((field) => {
    const { name, unit } = readHeading(field);
    const variable = variableNamed(name);
    return variable === undefined ? [] : [{ field, variable: name, unit: unit ?? variable.unit }];
  });
  if (columns.length === 0) {
    throw invalid('No column is named as a variable is: say with --map what the columns are.');
  }
  const names = columns.map(({ variable }) => variable);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`The file has two columns ${JSON.stringify(twice)}.`);
  return columns;
}

function readRow(
  { line, fields: record, fault }: CsvRecord,
  header: Header,
  plan: CsvPlan,
  order: TimeOrder,
): FileRow {
  if (fault === 'CSV_MAX_RECORD_SIZE') return { line, problem: `is longer than ${MAX_LINE} bytes` };
  if (fault !== undefined) return { line, problem: `the CSV is broken: ${fault}` };
  if (record.length !== header.width) {
    return { line, problem: `has ${record.length} fields and not ${header.width}` };
  }
  if (record.some((field) => field.includes(REPLACEMENT))) return { line, problem: 'is not valid UTF-8' };
  const timed = timedRow(record, header, plan);
  const time = order.choose(timed);
  if (time === undefined) {
    const timeText = timeOf(record, header);
    const problem = `${quoted(timeText)} ${plan.timeFormat.fault(timeText)}`;
    return { line, column: plan.timeColumn, problem };
  }
  const values: number[] = [];
  for (const [index, at] of header.places.entries()) {
    const text = record[at]?.trim() ?? '';
    const column = header.columns[index]?.field ?? '';
    if (text === '' || plan.missing.includes(text)) values.push(Number.NaN);
    else if (NUMBER.test(text) && Number.isFinite(Number(text))) values.push(Number(text));
    else return { line, column, problem: `${quoted(text)} is not a number` };
  }
  return { line, station: timed.station, time, values };
}

function timedRow(record: readonly string[], header: Header, plan: CsvPlan): TimedRow {
  const instants = plan.timeFormat.instants(timeOf(record, header));
  return { station: stationOf(record, header, plan), instants };
}

function timeOf(record: readonly string[], header: Header): string {
  return record[header.time]?.trim() ?? '';
}

function stationOf(record: readonly string[], header: Header, { station }: CsvPlan): string {
  if ('id' in station) return station.id;
  const text = record[header.station ?? 0]?.trim() ?? '';
  return station.rename?.(text) ?? text;
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
