import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { TemporalCalendar } from '../../../../src/adapters/calendar-temporal/temporal-calendar.js';
import { openCsv } from '../../../../src/adapters/formats/files/csv-rows.js';
import type { FileRow } from '../../../../src/adapters/formats/files/file-row.js';
import { metarRows } from '../../../../src/adapters/formats/files/metar-rows.js';
import { MAX_LINE } from '../../../../src/adapters/formats/text/line-reader.js';
import { timeFormat } from '../../../../src/adapters/formats/text/time-format.js';
import { domainErrorOf } from '../../../support/rejection.js';

/** Lines of a file by their kind. The flag says whether the line is a good row. */
const CSV = {
  good: ['1300000000,1', true],
  bad: ['never,1', false],
  broken: ['"1300000000"x,1', false],
  long: [`1300000000,${'1'.repeat(MAX_LINE)}`, false],
} as const;
const METAR = {
  good: ['KJFK 231151Z 24012KT 10SM 13/02 A3001', true],
  bad: ['nonsense', false],
  long: [`KJFK 231151Z 24012KT 10SM 13/02 A3001 ${'X'.repeat(MAX_LINE)}`, false],
} as const;

async function read(rows: AsyncIterable<FileRow>): Promise<[line: number, isGood: boolean][]> {
  const found: [number, boolean][] = [];
  for await (const row of rows) found.push([row.line, !('problem' in row)]);
  return found;
}

/** A source that yields pieces of this size, as files do. */
const inPieces = (text: string, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      Buffer.from(text.slice(at * size, (at + 1) * size)),
    ),
  );

describe('the rows of a file', () => {
  const pieces = fc.constantFrom(1000, 65_536, 1_000_000);
  const kinds = <K extends string>(table: Readonly<Record<K, unknown>>) =>
    fc.array(fc.tuple(fc.constantFrom(...(Object.keys(table) as K[])), fc.integer({ min: 1, max: 300 })), {
      maxLength: 12,
    });
  const repeated = <K>(runs: readonly (readonly [K, number])[], isLong: (kind: K) => boolean) =>
    runs.flatMap(([kind, times]) => Array.from({ length: isLong(kind) ? 1 : times }, () => kind));

  const plan = {
    delimiter: ',',
    station: { id: 'x' },
    timeColumn: 'time',
    timeFormat: timeFormat('unix', 'UTC', new TemporalCalendar()),
    columns: undefined,
    missing: [],
    ambiguous: 'order' as const,
  };

  it('of CSV are not read where the header is broken, with its line', async () => {
    for (const [text, fault] of [
      ['time,"air_temperature\n1300000000,1\n', 'CSV_QUOTE_NOT_CLOSED'],
      [`time,"${'x'.repeat(MAX_LINE)}"\n1300000000,1\n`, 'CSV_MAX_RECORD_SIZE'],
    ] as const) {
      const error = await domainErrorOf(openCsv(inPieces(text, 1000), plan), 'REQUEST_INVALID');
      expect(error.message).to.equal(`The header cannot be read: ${fault} at line 1.`);
    }
  });

  it('of CSV arrive in the order of their lines, each once, whatever faults other lines have', async () => {
    await fc.assert(
      fc.asyncProperty(kinds(CSV), pieces, async (runs, size) => {
        const lines = repeated(runs, (kind) => kind === 'long');
        const text = ['time,air_temperature', ...lines.map((kind) => CSV[kind][0]), ''].join('\n');
        const { rows } = await openCsv(inPieces(text, size), plan);
        expect(await read(rows)).to.deep.equal(lines.map((kind, at) => [at + 2, CSV[kind][1]]));
      }),
      { numRuns: 40 },
    );
  });

  it('of METAR text do so too', async () => {
    await fc.assert(
      fc.asyncProperty(kinds(METAR), pieces, async (runs, size) => {
        const lines = repeated(runs, (kind) => kind === 'long');
        const text = lines.map((kind) => `${METAR[kind][0]}\n`).join('');
        const rows = metarRows(inPieces(text, size), Date.UTC(2022, 10, 1), (icao) => icao);
        expect(await read(rows)).to.deep.equal(lines.map((kind, at) => [at + 1, METAR[kind][1]]));
      }),
      { numRuns: 40 },
    );
  });
});
