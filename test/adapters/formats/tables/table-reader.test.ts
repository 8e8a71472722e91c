import { expect } from 'chai';
import { rejectionText } from '#adapters/formats/files/sentences.js';
import fc from 'fast-check';
import type { FilePlan, FileSource } from '#adapters/formats/files/file-plan.js';
import { metar } from '#adapters/formats/import-formats/metar.js';
import { MAX_LINE } from '#adapters/formats/text/line-reader.js';
import { Questions } from '#adapters/formats/files/questions.js';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { TableReader } from '#adapters/formats/tables/table-reader.js';
import { SLICE } from '#application/observations/ingest/slices.js';
import { isDomainError } from '#domain/domain-error.js';
import { headOf, readAll } from '../../../support/imported.js';
import { rejectionOf } from '../../../support/rejection.js';

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
  it('that an import format with a copy of ImportFailure cannot read are refused with its sentence', async () => {
    class Copy extends Error {
      override readonly name = 'ImportFailure';
    }
    const failing = (error: Error): FilePlan => ({
      ...PLAN,
      layout: {
        kind: 'own',
        async *records() {
          yield [{ line: 2, fields: ['1300000000', '1'] }];
          throw error;
        },
      },
    });
    const source = inPieces('', 1);
    const refused = await rejectionOf(readAll(failing(new Copy('The file has no end.')), source));
    expect(isDomainError(refused, 'REQUEST_INVALID')).to.equal(true);
    expect((refused as Error).message).to.equal('The file has no end.');
    const defect = new TypeError('x is not a function');
    expect(await rejectionOf(readAll(failing(defect), source))).to.equal(defect);
  });

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
      ...metar.recognize(head, new Questions(new Map([['issued', '2022-11-01']]))),
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
      const { rows: taken, faults } = await readAll(plan, source);
      return { taken, faults: faults.filter(({ line }) => line < records.length + 2) };
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

  it('lose a row once, and each fault has its line, its column, its text and the reason', async () => {
    const plan: FilePlan = {
      ...PLAN,
      layout: { kind: 'delimited', delimiter: ',', first: 2, width: 4 },
      columns: [
        ...PLAN.columns,
        { kind: 'value', at: 2, heading: 'wind', variable: 'wind_speed', unit: 'm/s' },
        {
          kind: 'counter',
          at: 3,
          heading: 'rain',
          variable: 'precipitation_amount',
          unit: 'mm',
          resets: 'day',
        },
      ],
      required: [{ at: 2, heading: 'wind', texts: ['', '1', 'calm', 'light'], problem: 'is no wind' }],
    };
    const now = Date.UTC(2030, 0, 1);
    for (const [row, ...expected] of [
      ['1600000000,x,1,', ['cell', 'air_temperature', '"x" is not a number']],
      ['never,1,1,1', ['row', 'time', '"never" is not a number of seconds']],
      ['1900000000,1,1,', ['row', 'time', '"1900000000" is in the future']],
      ['-12000000000,1,1,', ['row', 'time', '"-12000000000" is before 1600']],
      ['1600000000,1,99,', ['row', 'wind', '"99" is no wind']],
      ['1600000000,1', ['row', undefined, '"1600000000,1" has 2 fields instead of 4']],
      ['1600000000,,,', ['row', undefined, '"1600000000,,," has no value in an imported column']],
      ['1600000000,,,7', ['row', 'rain', '"7" is the first reading of a running total, which has no amount']],
      [
        '1600000000,x,calm,z',
        ['row', 'air_temperature', '"x" is not a number, and the row has no other value'],
        ['nothing', 'wind', '"calm" is not a number'],
        ['nothing', 'rain', '"z" is not a number'],
      ],
      [
        '1600000000,x,light,',
        ['row', 'air_temperature', '"x" is not a number, and the row has no other value'],
        ['nothing', 'wind', '"light" is not a number'],
      ],
    ] as const) {
      const { rows, faults } = await readAll(plan, inPieces(`head\n${row}\n`, 1000), { now });
      expect(rows, row).to.have.lengthOf(expected[0]?.[0] === 'cell' ? 1 : 0);
      expect(faults.map(({ line, lost, column }) => [line, lost, column])).to.deep.equal(
        expected.map(([lost, column]) => [2, lost, column]),
      );
      for (const [index, [, , problem]] of expected.entries())
        expect(rejectionText(faults[index]?.reasons ?? [], 'command'), row).to.contain(problem);
    }
  });

  it('are given with their faults soon, however few of them can be taken', async () => {
    const reader = new TableReader(PLAN, {
      stationOf: () => 'x',
      zoneOf: () => 'UTC',
      calendar: new TemporalCalendar(),
      ambiguous: 'order',
    });
    const source = inPieces(`head\n${'never,1\n'.repeat(50_000)}`, 10_000);
    for await (const { faults } of reader.chunks(source)) expect(faults.length).to.be.at.most(SLICE);
  });

  it('stop where amounts may be a running total and it matters, before any of them is given', async () => {
    const column = { at: 1, heading: 'rain', variable: 'precipitation_amount', unit: 'mm' } as const;
    const plan: FilePlan = { ...PLAN, columns: [{ kind: 'value', ...column, isUnsure: true }] };
    const read = async (levels: readonly (number | '')[]) => {
      const rows = levels.map((level, row) => `${1_600_000_000 + row * 600},${level}\n`).join('');
      return await readAll(plan, inPieces(`time,rain\n${rows}`, 65_536));
    };
    const dry = Array.from({ length: 9000 }, () => 0);
    for (const levels of [
      [1, 1.2],
      [0.2, 0.2],
      [0, 0, 0.2, '', 0.4, 0],
      [0.2, 0.4, 0, 0.2, 0.4, 0],
      [5, 5, 5],
      [...dry, 1, 1.5],
    ] as const) {
      const error = await read(levels).catch((found: Error) => found);
      expect(error, String(levels.slice(-9)))
        .to.be.an('error')
        .with.property('message')
        .that.contains('--amount rain');
    }
    for (const levels of [
      [1],
      [0, 0.2],
      [0, 0.2, 0, 0.4],
      [1, 1.2, 0.5],
      [2, 1],
      [0, 0, 0],
      [...dry, 2, 1, 1],
    ]) {
      expect((await read(levels)).rows, String(levels.slice(-9))).to.have.lengthOf(levels.length);
    }
    // The newest row first: read in time, these fall.
    const { rows } = await readAll(
      { ...plan, columns: [...plan.columns] },
      inPieces('time,rain\n1600003000,0.2\n1600002400,0.5\n1600001800,2\n1600001200,3\n', 100),
    );
    expect(rows).to.have.lengthOf(4);
    const falling = 'time,rain\n1600003000,3\n1600002400,2\n1600001800,1\n';
    const newest = await readAll(plan, inPieces(falling, 100)).catch((found: Error) => found);
    expect(newest).to.be.an('error');
  });
});
