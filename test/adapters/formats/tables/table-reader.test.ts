import { expect } from 'chai';
import fc from 'fast-check';
import type { FilePlan, FileSource } from '../../../../src/adapters/formats/files/file-plan.js';
import { metar } from '../../../../src/adapters/formats/makes/metar.js';
import { MAX_LINE } from '../../../../src/adapters/formats/text/line-reader.js';
import { Questions } from '../../../../src/adapters/formats/files/questions.js';
import { TemporalCalendar } from '../../../../src/adapters/calendar-temporal/temporal-calendar.js';
import { TableReader } from '../../../../src/adapters/formats/tables/table-reader.js';
import { SLICE } from '../../../../src/application/observations/ingest/slices.js';
import { headOf, readAll } from '../../../support/imported.js';

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

/** A source that yields pieces of this size, as files do. */
const inPieces = (text: string, size: number): FileSource => ({
  text: async function* () {
    for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
  },
  canRepeat: true,
  path: undefined,
  sqlite: () => {
    throw new Error('there is no path');
  },
});

const PLAN: FilePlan = {
  title: 'test',
  layout: { kind: 'delimited', delimiter: ',', first: 2, width: 2 },
  time: { at: [0], headings: ['time'], formats: ['unix'], zone: 'utc' },
  columns: [{ kind: 'value', at: 1, heading: 'air_temperature', variable: 'air_temperature', unit: '°C' }],
};

async function lines(plan: FilePlan, source: FileSource): Promise<[line: number, isGood: boolean][]> {
  const { rows, faults } = await readAll(plan, source);
  const found: [number, boolean][] = [
    ...rows.map(({ line }): [number, boolean] => [Number(line), true]),
    ...faults.map(({ line }): [number, boolean] => [line, false]),
  ];
  return found.toSorted(([a], [b]) => a - b);
}

describe('the rows of a file', () => {
  const pieces = fc.constantFrom(1000, 65_536, 1_000_000);
  const kinds = <K extends string>(table: Readonly<Record<K, unknown>>) =>
    fc.array(fc.tuple(fc.constantFrom(...(Object.keys(table) as K[])), fc.integer({ min: 1, max: 300 })), {
      maxLength: 12,
    });
  const repeated = <K>(runs: readonly (readonly [K, number])[], isLong: (kind: K) => boolean) =>
    runs.flatMap(([kind, times]) => Array.from({ length: isLong(kind) ? 1 : times }, () => kind));

  it('of CSV arrive in the order of their lines, each once, whatever faults other lines have', async () => {
    await fc.assert(
      fc.asyncProperty(kinds(CSV), pieces, async (runs, size) => {
        const kindsOfLines = repeated(runs, (kind) => kind === 'long');
        const text = ['time,air_temperature', ...kindsOfLines.map((kind) => CSV[kind][0]), ''].join('\n');
        expect(await lines(PLAN, inPieces(text, size))).to.deep.equal(
          kindsOfLines.map((kind, at) => [at + 2, CSV[kind][1]]),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('of METAR text do so too', async () => {
    const head = headOf('metars.txt', METAR.good[0]);
    const plan = {
      title: '',
      ...metar.recognise(head, new Questions(new Map([['issued', '2022-11-01']]))),
    } as FilePlan;
    await fc.assert(
      fc.asyncProperty(kinds(METAR), pieces, async (runs, size) => {
        const kindsOfLines = repeated(runs, (kind) => kind === 'long');
        const text = [...kindsOfLines.map((kind) => METAR[kind][0]), ''].join('\n');
        expect(await lines(plan, inPieces(text, size))).to.deep.equal(
          kindsOfLines.map((kind, at) => [at + 1, METAR[kind][1]]),
        );
      }),
      { numRuns: 20 },
    );
  });

  it('are the same with and without quotes, and in text that is not ASCII', async () => {
    const texts = [
      '',
      ' ',
      '1',
      '-1.5',
      '+20.25',
      ' 7 ',
      '1,5',
      '1e1',
      '.5',
      '5.',
      '-',
      '9'.repeat(20),
      'x',
      '1\u0663',
    ];
    const time = fc.constantFrom('1300000000', '1300000600', ' 1300001200', 'never');
    const record = fc.oneof(
      { weight: 8, arbitrary: fc.tuple(time, fc.constantFrom(...texts)) },
      fc.tuple(time),
      fc.tuple(time, fc.constantFrom(...texts), fc.constantFrom(...texts)),
    );
    const plan: FilePlan = { ...PLAN, layout: { kind: 'delimited', delimiter: ';', first: 2, width: 2 } };
    const read = async (records: readonly (readonly string[])[], quote: string, last: string) => {
      const rows = records.map((fields) => fields.map((text) => `${quote}${text}${quote}`).join(';'));
      const source = inPieces(['time;air_temperature', ...rows, last].join('\n'), 100_000);
      const { rows: taken, faults, notes } = await readAll(plan, source);
      return { taken, faults: faults.filter(({ line }) => line < records.length + 2), cells: notes.cells };
    };
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 20 }), async (records) => {
        const expected = await read(records, '"', '');
        expect(await read(records, '', '')).to.deep.equal(expected);
        expect(await read(records, '', 'ä')).to.deep.equal(expected);
      }),
    );
  });

  it('are given in chunks of one commit, and no more of the file is read than the next chunk needs', async () => {
    const [rowsOfFile, rowsOfPiece] = [40_000, 1000];
    let read = 0;
    const source: FileSource = {
      ...inPieces('', 1),
      text: async function* () {
        yield Buffer.from('time,air_temperature\n');
        for (; read < rowsOfFile; read += rowsOfPiece) {
          const times = Array.from({ length: rowsOfPiece }, (_, row) => 1_300_000_000 + (read + row) * 600);
          yield Buffer.from(times.map((at) => `${at},1\n`).join(''));
        }
      },
    };
    const reader = new TableReader(PLAN, {
      stationOf: () => 'x',
      zoneOf: () => 'UTC',
      calendar: new TemporalCalendar(),
      ambiguous: 'order',
    });
    let [given, most] = [0, 0];
    for await (const { parts } of reader.chunks(source)) {
      for (const { lines: numbers } of parts) {
        expect(numbers.length).to.be.at.most(SLICE);
        given += numbers.length;
      }
      most = Math.max(most, read - given);
    }
    expect(given).to.equal(rowsOfFile);
    expect(most).to.be.at.most(rowsOfPiece);
  });
});
