import { type TextLine, LineReader, MAX_LINE } from '../text/line-reader.js';

/** Why a record is broken. The codes are those of the package csv-parse, which replies and reports have always had. */
export type CsvFault =
  'CSV_INVALID_CLOSING_QUOTE' | 'CSV_MAX_RECORD_SIZE' | 'CSV_QUOTE_NOT_CLOSED' | 'INVALID_OPENING_QUOTE';

export interface CsvRecord {
  /** From 1; where a record spans lines, its last. That of a quote that is never closed is the line of the quote. */
  readonly line: number;
  /** None where the record is broken. */
  readonly fields: readonly string[];
  readonly fault?: CsvFault;
  /** The line, if it has no quotes. Its fields are then what stands between the delimiters. */
  readonly unquoted?: TextLine;
}

/** A record without quotes. Its fields are made when they are asked for. */
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

/** Bytes of a record, of one line or of several: many times what all variables and their quality take. */
export const MAX_RECORD = MAX_LINE;

const QUOTE = '"';

/**
 * Reads CSV (RFC 4180) while it comes in, in pieces of any size. Empty lines are passed over. A broken record does not break
 * what follows: where a quote is never closed, the lines behind it are read anew, each as a record.
 */
export class CsvReader {
  readonly #delimiter: string;
  readonly #isStrict: boolean;
  readonly #first: number;
  readonly #lines = new LineReader();
  /** The lines of a record that is not yet complete, because a quoted field goes on. */
  #open: TextLine[] = [];
  #openLength = 0;
  #fields: string[] = [];
  /** The quoted field that goes on in the next line. */
  #field: string | undefined;

  /**
   * @param isStrict whether a quote within a field is a fault. It is a part of the field otherwise
   * @param first the first line that is read
   */
  constructor(delimiter = ',', isStrict = true, first = 1) {
    this.#delimiter = delimiter;
    this.#isStrict = isStrict;
    this.#first = first;
  }

  /** The records that end in this piece. The piece must not be changed afterwards. */
  read(piece: Uint8Array): CsvRecord[] {
    return this.#recordsOf(this.#lines.read(piece));
  }

  /** The records that no line end follows. */
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

  /** The record that ends with this line; none where a quoted field goes on in the next. */
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

  /** Ends the record that is open. Its lines are read anew, each alone; those in which a quote stays open are broken. */
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

  /** Adds the fields of a line with quotes to the record. `#field` is set where the last of them goes on in the next line. */
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
    const found = text.indexOf(this.#delimiter, from);
    return found === -1 ? text.length : found;
  }

  #reset(): void {
    [this.#open, this.#openLength, this.#fields, this.#field] = [[], 0, [], undefined];
  }
}

/** With its end: otherwise empty lines would cost nothing, and any number of them would be kept. */
function bytesOf({ text }: TextLine): number {
  return Buffer.byteLength(text) + 1;
}

/** The records of a text that comes in pieces. */
export async function* csvRecords(
  pieces: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader(delimiter, false);
  for await (const piece of pieces) yield* reader.read(piece);
  yield* reader.end();
}
