import { CSV_FAULTS, CsvReader, type CsvRecord } from '../csv/csv-reader.js';
import { LineReader, MAX_LINE } from '../text/line-reader.js';
import type { FileRecord, FileSource, Layout } from '../files/file-plan.js';
import { ImportFailure } from '../files/import-failure.js';

/** Reads the records of a file by its layout, in batches. */
export async function* fileRecords(
  source: FileSource,
  layout: Layout,
): AsyncGenerator<readonly FileRecord[]> {
  if (layout.kind === 'own') return yield* ownRecords(source, layout);
  const pieces = source.text();
  if (layout.kind === 'delimited') return yield* delimited(pieces, layout);
  const split = layout.kind === 'blanks' ? byBlanks : byWidths(layout.widths);
  const reader = new LineReader();
  const records = (lines: ReturnType<LineReader['read']>): FileRecord[] =>
    lines
      .filter(({ number, text, isTooLong }) => number >= layout.first && (isTooLong || text.trim() !== ''))
      .map(({ number: line, text, isTooLong }) =>
        isTooLong ? { line, fields: [], fault: TOO_LONG } : { line, fields: split(text) },
      );
  for await (const piece of pieces) yield records(reader.read(piece));
  yield records(reader.end());
}

/** The records of a layout that its import format reads itself. The format may be of a package with a copy of `ImportFailure`. */
async function* ownRecords(
  source: FileSource,
  { records }: Layout & { readonly kind: 'own' },
): AsyncGenerator<readonly FileRecord[]> {
  try {
    yield* records(source);
  } catch (error) {
    throw error instanceof ImportFailure ? new ImportFailure(error.message) : error;
  }
}

const TOO_LONG = `is longer than ${MAX_LINE} bytes`;

async function* delimited(
  pieces: AsyncIterable<Uint8Array>,
  { delimiter, first, end }: Layout & { readonly kind: 'delimited' },
): AsyncGenerator<readonly FileRecord[]> {
  const reader = new CsvReader(delimiter, false, first);
  const isEnd = (record: CsvRecord) =>
    record.unquoted === undefined ? isField(record.fields, end) : record.unquoted.text === end;
  for await (const piece of pieces) {
    const records = reader.read(piece);
    const last = end === undefined ? -1 : records.findIndex(isEnd);
    yield withFaultTexts(last === -1 ? records : records.slice(0, last));
    if (last !== -1) return;
  }
  const records = reader.end();
  const last = end === undefined ? -1 : records.findIndex(isEnd);
  yield withFaultTexts(last === -1 ? records : records.slice(0, last));
}

function isField(fields: readonly string[], text: string | undefined): boolean {
  return fields.length === 1 && fields[0] === text;
}

/** Replaces the codes of faults by texts. */
function withFaultTexts(records: readonly CsvRecord[]): readonly FileRecord[] {
  if (records.every(({ fault }) => fault === undefined)) return records;
  return records.map((record) => {
    const { line, fault } = record;
    if (fault === undefined) return record;
    return {
      line,
      fields: [],
      fault: fault === 'CSV_MAX_RECORD_SIZE' ? TOO_LONG : `the CSV cannot be read: ${CSV_FAULTS[fault]}`,
    };
  });
}

function byBlanks(text: string): string[] {
  return text.trim().split(/\s+/);
}

function byWidths(widths: readonly number[]): (text: string) => string[] {
  return (text) => {
    let at = 0;
    return widths.map((width) => {
      at += width;
      return text.slice(at - width, at).trim();
    });
  };
}
