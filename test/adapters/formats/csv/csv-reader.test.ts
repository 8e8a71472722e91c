import { expect } from 'chai';
import { CsvError, parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { CsvReader, type CsvRecord, MAX_RECORD } from '#adapters/formats/csv/csv-reader.js';
import { MAX_LINE } from '#adapters/formats/text/line-reader.js';

/** The records of a text that comes in pieces of `size` bytes. */
function read(text: string | Buffer, { size = 65_536, delimiter = ',', isStrict = true } = {}): CsvRecord[] {
  const bytes = Buffer.from(text);
  const reader = new CsvReader(delimiter, isStrict);
  const records: CsvRecord[] = [];
  for (let at = 0; at < bytes.length; at += size) records.push(...reader.read(bytes.subarray(at, at + size)));
  return [...records, ...reader.end()];
}

const fieldsOf = (text: string, options = {}) => read(text, options).map(({ fields }) => fields);
/** Line, and the fault or the fields, of each record. */
const told = (records: readonly CsvRecord[]) =>
  records.map(({ line, fields, fault }) => [line, fault ?? fields.join('|')]);

describe('CsvReader', () => {
  const sizes = fc.constantFrom(1, 2, 3, 7, 1000);

  it('reads fields, quotes and line ends within quotes, in pieces of any size', () => {
    const text = 'a,b\r\n1,"x ""y"", z"\n"two\nlines",\n\n ,""';
    for (const size of [1, 2, 3, 5, 100]) {
      expect(told(read(text, { size })), `${size}`).to.deep.equal([
        [1, 'a|b'],
        [2, '1|x "y", z'],
        [4, 'two\nlines|'],
        [6, ' |'],
      ]);
    }
  });

  it('takes other delimiters, of several characters too, a mark of the byte order, and CR as the end of a line', () => {
    expect(fieldsOf('a;b,c\n"1;2";3', { delimiter: ';' })).to.deep.equal([
      ['a', 'b,c'],
      ['1;2', '3'],
    ]);
    expect(fieldsOf('a||b|c', { delimiter: '||' })).to.deep.equal([['a', 'b|c']]);
    for (const size of [1, 2, 5, 100]) {
      expect(fieldsOf('\ufeffä,b\r1,2\r3,4', { size })).to.deep.equal([
        ['ä', 'b'],
        ['1', '2'],
        ['3', '4'],
      ]);
    }
  });

  it('keeps no more of a record than its limit, whatever its lines are', () => {
    for (const filler of ['\n', '\r\n', 'x\n', 'ä\n', ',\n', '""\n']) {
      for (const end of ['', '"\n1,2\n']) {
        const [first] = read(`a,"${filler.repeat(MAX_RECORD)}${end}`);
        expect(first, JSON.stringify([filler, end])).to.deep.equal({
          line: 1,
          fields: [],
          fault: 'CSV_MAX_RECORD_SIZE',
        });
      }
      const fitting = Math.floor((MAX_RECORD - 10) / Buffer.byteLength(filler));
      expect(read(`a,"${filler.repeat(fitting)}"`)).to.have.length(1);
    }
  });

  it('reads millions of empty lines behind an open quote in bounded memory and in one pass', () => {
    const reader = new CsvReader();
    const piece = Buffer.alloc(32_768, '\n');
    reader.read(Buffer.from('a,"'));
    let records = 0;
    for (let count = 0; count < 200; count += 1) records += reader.read(piece).length;
    // The record with the quote, given up at its limit; empty lines are none.
    expect(records + reader.end().length).to.equal(1);
  });

  it('reads what another reader of CSV reads', () => {
    const field = fc.oneof(
      fc.constantFrom('', 'x', ' ', '1.5', 'µg/m³', '"', 'a"b', ',', '\n', '"",', '€\n"'),
      fc.string({ maxLength: 5 }).filter((text) => !text.includes('\r')),
    );
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const written = fc
      .tuple(field, fc.boolean())
      .map(([text, always]) => (always || /[",\n]/.test(text) ? quoted(text) : text));
    const row = fc.array(written, { minLength: 1, maxLength: 4 }).map((fields) => fields.join(','));
    fc.assert(
      fc.property(fc.array(row), fc.constantFrom('\n', '\r\n'), sizes, (rows, end, size) => {
        const text = rows.join(end) + end;
        const others: string[][] = parse(text, {
          relax_column_count: true,
          skip_empty_lines: true,
          bom: true,
        });
        expect(fieldsOf(text, { size })).to.deep.equal(others);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the first fault where another reader finds it, of any text', () => {
    const text = fc.array(fc.constantFrom('a', '"', ',', '\n', '""', '",', ',"'), { maxLength: 14 });
    fc.assert(
      fc.property(text, sizes, (parts, size) => {
        const sent = parts.join('');
        const fault = read(sent, { size }).find((record) => record.fault !== undefined);
        try {
          parse(sent, { relax_column_count: true, record_delimiter: '\n' });
          expect(fault).to.equal(undefined);
        } catch (error) {
          if (!(error instanceof CsvError)) throw error;
          expect(fault?.fault).to.equal(error.code);
          // The line of a quote that is never closed is that of the quote.
          if (error.code !== 'CSV_QUOTE_NOT_CLOSED') expect(fault?.line).to.equal(error['lines']);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('takes quotes within a field as a part of it where it is told to', () => {
    const lenient = { isStrict: false };
    expect(fieldsOf('12" pipe,"x"y,z\n1,2', lenient)).to.deep.equal([
      ['12" pipe', '"x"y', 'z'],
      ['1', '2'],
    ]);
    expect(told(read('a,12" pipe\n'))).to.deep.equal([[1, 'INVALID_OPENING_QUOTE']]);
    expect(told(read('a,"x"y\n'))).to.deep.equal([[1, 'CSV_INVALID_CLOSING_QUOTE']]);
  });

  it('loses no line behind a quote that is never closed', () => {
    const text = 'a,b\n1,"open\n2,x\n3,y';
    expect(told(read(text))).to.deep.equal([
      [1, 'a|b'],
      [2, 'CSV_QUOTE_NOT_CLOSED'],
      [3, '2|x'],
      [4, '3|y'],
    ]);
    const rows = Array.from({ length: 40_000 }, (_, row) => `${row},x\n`);
    const records = read(`a,b\n"open\n${rows.join('')}`, { size: 10_000 });
    expect(records).to.have.length(40_002);
    expect(records.filter(({ fault }) => fault !== undefined)).to.deep.equal([
      { line: 2, fields: [], fault: 'CSV_MAX_RECORD_SIZE' },
    ]);
    expect(told(records.slice(-1))).to.deep.equal([[40_002, '39999|x']]);
  });

  it('passes over lines that are too long, wherever pieces end', () => {
    for (const length of [MAX_LINE - 2, MAX_LINE - 1, 3 * MAX_LINE]) {
      for (const size of [1000, 65_536, 10_000_000]) {
        const text = `a,b\n1,${'9'.repeat(length)}\n2,3\n${'8'.repeat(length + 2)}`;
        const isTooLong = length + 2 > MAX_LINE;
        const found = told(read(text, { size })).map(([line, rest]) => [line, String(rest).slice(0, 19)]);
        expect(found, `${length} ${size}`).to.deep.equal([
          [1, 'a|b'],
          [2, isTooLong ? 'CSV_MAX_RECORD_SIZE' : `1|${'9'.repeat(17)}`],
          [3, '2|3'],
          [4, isTooLong ? 'CSV_MAX_RECORD_SIZE' : '8'.repeat(19)],
        ]);
      }
    }
  });
});
