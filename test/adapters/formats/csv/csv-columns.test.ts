import { expect } from 'chai';
import { readCsv } from '#adapters/formats/csv/csv-columns.js';
import { CSV_FAULTS, MAX_RECORD } from '#adapters/formats/csv/csv-reader.js';

describe('CSV that cannot be read', () => {
  for (const [title, rows, line, reason] of [
    ['an open quote', '"2013', 2, 'a quote is not closed'],
    [
      'text behind a quoted field',
      '"2013"x,1',
      2,
      'there is text between the closing quote of a field and the next delimiter; write a quote within a quoted field as ""',
    ],
    [
      'a quote within a field',
      '2013,1\n20"13,1',
      3,
      'there is a quote within a field that does not begin with a quote; put the field in quotes, and write the quote within it as ""',
    ],
    [
      'a record without an end',
      'x'.repeat(MAX_RECORD + 1),
      2,
      `the record is longer than ${MAX_RECORD} bytes; check that each quote is closed`,
    ],
    ['a line with another number of fields', '2013,1,2', 2, 'it has 3 fields, but the header has 2'],
  ] as const)
    it(`is refused with its line and a sentence: ${title}`, async () => {
      const error = await readCsv(Buffer.from(`time,air_temperature\n${rows}`), 'JFK', undefined).catch(
        (failure: Error) => failure,
      );
      expect(error).to.have.property('message', `The CSV cannot be read at line ${line}: ${reason}.`);
    });

  it('has a sentence for each code', () => {
    for (const text of Object.values(CSV_FAULTS)) expect(text).to.match(/^[a-z].*[^.]$/);
  });
});
