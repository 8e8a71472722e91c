import { CsvError, parse } from 'csv-parse/sync';
import { ProtocolError } from '../../../core/errors.js';

/** Bytes that are parsed at a time: about 2 ms. */
const PIECE = 16_384;
/** Bytes of a record: many times what all variables and their quality take. */
const MAX_RECORD = 65_536;

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);

/**
 * The records of a CSV in pieces, the header alone in the first. Each piece is parsed when it is asked for.
 *
 * @throws ProtocolError REQUEST_INVALID with the line where the CSV is broken, a record has not as many fields as the header,
 *   or is longer than 64 KiB
 */
export function* csvPieces(bytes: Uint8Array): Generator<string[][]> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const lineEnd = text.subarray(0, MAX_RECORD).includes(LINE_FEED) ? LINE_FEED : CARRIAGE_RETURN;
  const isMarked = text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  let from = isMarked ? BYTE_ORDER_MARK.length : 0;
  let line = 0;
  let header: Buffer | undefined;
  let headerLines = 0;
  while (from < text.length) {
    const to = endOf(text, from, header === undefined ? from : from + PIECE, lineEnd);
    if (to - from > PIECE + MAX_RECORD) throw broken('CSV_MAX_RECORD_SIZE', line + 1);
    const piece = text.subarray(from, to);
    // Under the header again, so that the parser compares the number of fields.
    const records = parseRecords(
      header === undefined ? piece : Buffer.concat([header, piece]),
      line - headerLines,
    );
    yield header === undefined ? records : records.slice(1);
    line += countOf(piece, lineEnd);
    if (header === undefined && records.length > 0) {
      header = piece;
      headerLines = countOf(piece, lineEnd);
    }
    from = to;
  }
}

/** Behind the first line end at or after `wanted` that is in no quoted field; the end of the text where there is none. */
function endOf(text: Buffer, from: number, wanted: number, lineEnd: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length;) {
    const found = text.indexOf(lineEnd, Math.max(at, wanted - 1));
    const end = found === -1 ? text.length : found + 1;
    if (countOf(text.subarray(at, end), QUOTE) % 2 === 1) isQuoted = !isQuoted;
    if (!isQuoted || end - from > PIECE + MAX_RECORD) return end;
    at = end;
  }
  return text.length;
}

function countOf(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count += 1;
  return count;
}

/** @param before lines of the text before the first of `bytes` */
function parseRecords(bytes: Buffer, before: number): string[][] {
  try {
    return parse(bytes, { skip_empty_lines: true, relax_column_count: false, max_record_size: MAX_RECORD });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw broken(error.code, before + Number(error['lines']));
  }
}

function broken(code: string, line: number): ProtocolError {
  return new ProtocolError('REQUEST_INVALID', `The CSV is broken: ${code} at line ${line}.`);
}
