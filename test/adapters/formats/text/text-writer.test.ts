import { expect } from 'chai';
import fc from 'fast-check';
import { TextWriter } from '#adapters/formats/text/text-writer.js';

describe('TextWriter', () => {
  const written = (work: (writer: TextWriter) => void): string => {
    const writer = new TextWriter();
    work(writer);
    return writer.take().toString();
  };

  it('writes numbers as JSON does, and keeps the sign of -0', () => {
    const number = fc.oneof(
      fc.double(),
      fc.integer().map((value) => value / 10),
      fc.integer().map((value) => value / 1000),
      fc.constantFrom(0, 0.001, -0.001, 1e-7, 1e21, 5e-324, 999_999_999.999, 1e9, 123.45, 100, 0.1 + 0.2),
    );
    fc.assert(
      fc.property(number, (value) => {
        fc.pre(Number.isFinite(value) && !Object.is(value, -0));
        expect(written((writer) => writer.number(value, ''))).to.equal(JSON.stringify(value));
      }),
      { numRuns: 2000 },
    );
    expect(written((writer) => writer.number(-0, ''))).to.equal('-0');
    for (const none of [Number.NaN, Infinity, -Infinity]) {
      expect(written((writer) => writer.number(none, 'null'))).to.equal('null');
    }
  });

  it('writes times like toISOString, but without zero milliseconds', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(-62_167_219_200_000) }), (date) => {
        const expected = date.toISOString().replace('.000Z', 'Z');
        expect(written((writer) => writer.time(date.getTime()))).to.equal(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('returns pieces, and accepts text of any length', () => {
    const writer = new TextWriter();
    writer.text('ä'.repeat(100_000));
    expect(writer.isFull).to.equal(true);
    expect(writer.take().toString()).to.equal('ä'.repeat(100_000));
    expect(writer.isFull).to.equal(false);
    expect(writer.take()).to.have.length(0);
  });
});
