import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type CsvError, parse } from 'csv-parse';
import { DomainError } from '../../../domain/domain-error.js';
import { LineGuard, MAX_LINE } from './line-guard.js';
import type { PlanColumn, SentRow } from './sent-row.js';
import type { ParseTime } from './time-format.js';

export interface CsvPlan {
  readonly delimiter: string;
  /** The column with the station's id, or the id of all rows. */
  readonly station:
    { readonly column: string; readonly rename?: (text: string) => string } | { readonly id: string };
  readonly timeColumn: string;
  readonly parseTime: ParseTime;
  readonly columns: readonly PlanColumn[];
  /** Texts that mean: no value. The empty one always does. */
  readonly missing: readonly string[];
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** What UTF-8 decoders put where the bytes are none. */
const REPLACEMENT = '\ufffd';

/** The file, unpacked where its name ends in .gz. @param progress is told of bytes as they are read */
export function openFile(file: string, progress: (bytes: number) => void): Readable {
  const source = createReadStream(file);
  source.on('data', (chunk) => progress(chunk.length));
  if (!file.endsWith('.gz')) return source;
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  return source.pipe(unpacked);
}

/**
 * Reads a CSV file row by row. What cannot be read is told by its line, and reading goes on.
 *
 * @throws DomainError REQUEST_INVALID when a column is not there
 */
export async function* csvRows(source: Readable, plan: CsvPlan): AsyncGenerator<SentRow> {
  const guard = new LineGuard();
  const broken: { line: number; problem: string }[] = [];
  const parser = parse({
    bom: true,
    delimiter: plan.delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: 16 * MAX_LINE,
    on_skip: (error: CsvError | undefined) => {
      broken.push({
        line: Number(error?.['lines'] ?? 0),
        problem: `the CSV is broken: ${error?.code ?? ''}`,
      });
    },
  });
  source.on('error', (error) => parser.destroy(error));
  guard.on('error', (error) => parser.destroy(error));
  source.pipe(guard).pipe(parser);
  const cut = new Set<number>();
  let header: Header | undefined;
  for await (const { record, info } of parser as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>) {
    if (header === undefined) {
      header = readHeader(record, plan);
      continue;
    }
    yield* broken.splice(0);
    for (const row of tooLong(guard)) {
      cut.add(row.line);
      yield row;
    }
    // What is left of a line that was too long is no row.
    if (!cut.delete(info.lines)) yield readRow(record, info.lines, header, plan);
  }
  yield* broken.splice(0);
  yield* tooLong(guard);
  if (header === undefined) throw new DomainError('REQUEST_INVALID', 'The file is empty.');
}

function* tooLong(guard: LineGuard): Generator<SentRow> {
  for (const line of guard.tooLong.splice(0)) yield { line, problem: `is longer than ${MAX_LINE} bytes` };
}

interface Header {
  readonly width: number;
  readonly station: number | undefined;
  readonly time: number;
  readonly columns: readonly number[];
}

function readHeader(names: readonly string[], plan: CsvPlan): Header {
  const trimmed = names.map((name) => name.trim());
  const place = (name: string): number => {
    const at = trimmed.indexOf(name);
    if (at !== -1) return at;
    throw new DomainError(
      'REQUEST_INVALID',
      `The file has no column ${JSON.stringify(name)}; it has: ${trimmed.join(', ').slice(0, 500)}.`,
    );
  };
  return {
    width: names.length,
    station: 'column' in plan.station ? place(plan.station.column) : undefined,
    time: place(plan.timeColumn),
    columns: plan.columns.map(({ field }) => place(field)),
  };
}

function readRow(record: readonly string[], line: number, header: Header, plan: CsvPlan): SentRow {
  const bad = (problem: string): SentRow => ({ line, problem });
  if (record.length !== header.width) return bad(`has ${record.length} fields and not ${header.width}`);
  if (record.some((field) => field.includes(REPLACEMENT))) return bad('is not valid UTF-8');
  const timeText = record[header.time]?.trim() ?? '';
  const time = plan.parseTime(timeText);
  if (!Number.isFinite(time)) return bad(`${plan.timeColumn}: ${quote(timeText)} is no time`);
  const values: number[] = [];
  for (const [index, at] of header.columns.entries()) {
    const text = record[at]?.trim() ?? '';
    if (text === '' || plan.missing.includes(text)) values.push(Number.NaN);
    else if (NUMBER.test(text)) values.push(Number(text));
    else return bad(`${plan.columns[index]?.field}: ${quote(text)} is no number`);
  }
  return { line, station: stationOf(record, header, plan), time, values };
}

function stationOf(record: readonly string[], header: Header, { station }: CsvPlan): string {
  if ('id' in station) return station.id;
  const text = record[header.station ?? 0]?.trim() ?? '';
  return station.rename?.(text) ?? text;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
