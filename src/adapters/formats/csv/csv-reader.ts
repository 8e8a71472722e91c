import { type TextLine, LineReader, MAX_LINE } from '../text/line-reader.js';

/** Why a record is broken. The codes are those of the package csv-parse, with which tests compare the reader. */
export type CsvFault =
  | 'CSV_INVALID_CLOSING_QUOTE'
  | 'CSV_MAX_RECORD_SIZE'
  | 'CSV_QUOTE_NOT_CLOSED'
  | 'INVALID_OPENING_QUOTE';

export interface CsvRecord {
  /**
   * Number of the line, from 1. A record of several lines has the number of its last line. A record with an unclosed quote has
   * the number of its first line.
   */
  readonly line: number;
  /** The fields; empty if the record is broken. */
  readonly fields: readonly string[];
  readonly fault?: CsvFault;
  /** The line, if it has no quotes. The fields are then the texts between the delimiters. */
  readonly unquoted?: TextLine;
}

/** A record without quotes. The line is split into fields at the first access. */
class UnquotedRecord implements CsvRecord {
  readonly line: number;
  readonly unquoted: TextLine;
  readonly #delimiter: string;

  constructor(line: TextLine, delimiter: string) {
    this.line = line.number;
    this.unquoted = line;
    this.#delimiter = delimiter;
  }

  get fields(): readonly string[] {
    return this.unquoted.text.split(this.#delimiter);
  }
}

/**
 * Largest number of bytes of a record, in one line or in several. A record with all variables and their quality is far smaller
 * than this limit.
 */
export const MAX_RECORD = MAX_LINE;

/** Why a record is broken, as the end of a sentence without its full stop. */
export const CSV_FAULTS: Readonly<Record<CsvFault, string>> = {
  CSV_INVALID_CLOSING_QUOTE:
    'there is text between the closing quote of a field and the next delimiter; write a quote within a quoted field as ""',
  CSV_MAX_RECORD_SIZE: `the record is longer than ${MAX_RECORD} bytes; check that each quote is closed`,
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  INVALID_OPENING_QUOTE:
    'there is a quote within a field that does not begin with a quote; put the field in quotes, and write the quote within it as ""',
};

const QUOTE = '"';

/**
 * Reads CSV (RFC 4180) that arrives in pieces of any size. Empty lines are skipped. A broken record does not affect the records
 * behind it: if a quote is not closed, each line of the broken record is read again as a record of its own.
 */
export class CsvReader {
  readonly #delimiter: string;
  readonly #isStrict: boolean;
  readonly #first: number;
  readonly #lines = new LineReader();
  /** The lines of an incomplete record, whose last quoted field continues in the next line. */
  #open: TextLine[] = [];
  #openLength = 0;
  #fields: string[] = [];
  /** The start of a quoted field that continues in the next line. */
  #field: string | undefined;

  /**
   * @param isStrict whether a quote within an unquoted field is a fault. Otherwise the quote is part of the field
   * @param first number of the first line that is read, from 1
   */
  constructor(delimiter = ',', isStrict = true, first = 1) {
    this.#delimiter = delimiter;
    this.#isStrict = isStrict;
    this.#first = first;
  }

  /** Returns the records that end in this piece. The caller must not change the piece afterwards. */
  read(piece: Uint8Array): CsvRecord[] {
    return this.#recordsOf(this.#lines.read(piece));
  }

  /** Returns the records at the end of the text that have no line end behind them. */
  end(): CsvRecord[] {
    const records = this.#recordsOf(this.#lines.end());
    return [...records, ...this.#giveUp('CSV_QUOTE_NOT_CLOSED')];
  }

  #recordsOf(lines: readonly TextLine[]): CsvRecord[] {
    const records: CsvRecord[] = [];
    for (const line of lines) {
      if (line.number < this.#first) continue;
      if (this.#open.length === 0 && !line.isTooLong && !line.text.includes(QUOTE)) {
        if (line.text !== '') records.push(new UnquotedRecord(line, this.#delimiter));
        continue;
      }
      const isTooLong = line.isTooLong || this.#openLength + bytesOf(line) > MAX_RECORD;
      if (isTooLong) records.push(...this.#giveUp('CSV_MAX_RECORD_SIZE'));
      if (line.isTooLong) records.push({ line: line.number, fields: [], fault: 'CSV_MAX_RECORD_SIZE' });
      else if (line.text !== '' || this.#open.length > 0) records.push(...this.#recordOf(line));
    }
    return records;
  }

  /** Returns the record that ends with this line, or no record if a quoted field continues in the next line. */
  #recordOf(line: TextLine): CsvRecord[] {
    const fault = this.#take(line.text);
    if (this.#field !== undefined) {
      this.#open.push(line);
      this.#openLength += bytesOf(line);
      return [];
    }
    const record = { line: line.number, fields: fault === undefined ? this.#fields : [] };
    this.#reset();
    return [fault === undefined ? record : { ...record, fault }];
  }

  /**
   * Ends the incomplete record. Each of its lines is read again as a record of its own. A line in which a quote is not closed is
   * then a broken record.
   */
  #giveUp(fault: CsvFault): CsvRecord[] {
    const lines = this.#open.filter(({ text }) => text !== '');
    this.#reset();
    return lines.flatMap((line) => {
      const records = this.#recordOf(line);
      if (this.#field === undefined) return records;
      this.#reset();
      return [{ line: line.number, fields: [], fault }];
    });
  }

  /** Adds the fields of a line with quotes to the record. Sets `#field` if the last field continues in the next line. */
  #take(text: string): CsvFault | undefined {
    let at = 0;
    while (at <= text.length) {
      if (this.#field === undefined && text[at] === QUOTE) {
        this.#field = '';
        at += 1;
      }
      if (this.#field === undefined) {
        const end = this.#endOfField(text, at);
        const field = text.slice(at, end);
        if (this.#isStrict && field.includes(QUOTE)) return 'INVALID_OPENING_QUOTE';
        this.#fields.push(field);
        at = end + this.#delimiter.length;
        continue;
      }
      const quote = text.indexOf(QUOTE, at);
      if (quote === -1) {
        this.#field += `${text.slice(at)}\n`;
        return undefined;
      }
      this.#field += text.slice(at, quote);
      at = quote + 1;
      if (text[at] === QUOTE) {
        this.#field += QUOTE;
        at += 1;
        continue;
      }
      const end = this.#endOfField(text, at);
      const behind = text.slice(at, end);
      if (behind !== '' && this.#isStrict) {
        this.#field = undefined;
        return 'CSV_INVALID_CLOSING_QUOTE';
      }
      this.#fields.push(behind === '' ? this.#field : `${QUOTE}${this.#field}${QUOTE}${behind}`);
      this.#field = undefined;
      at = end + this.#delimiter.length;
    }
    return undefined;
  }

  #endOfField(text: string, from: number): number {
    const delimiterAt = text.indexOf(this.#delimiter, from);
    return delimiterAt === -1 ? text.length : delimiterAt;
  }

  #reset(): void {
    [this.#open, this.#openLength, this.#fields, this.#field] = [[], 0, [], undefined];
  }
}

/**
 * Number of bytes of a line including its line end. An empty line therefore has 1 byte, and counts towards `MAX_RECORD`, the
 * largest size of a record. Otherwise a record with an unclosed quote could consist of any number of empty lines.
 */
function bytesOf({ text }: TextLine): number {
  return Buffer.byteLength(text) + 1;
}

/** Reads the records of a text that arrives in pieces. */
export async function* csvRecords(
  pieces: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader(delimiter, false);
  for await (const piece of pieces) yield* reader.read(piece);
  yield* reader.end();
}
