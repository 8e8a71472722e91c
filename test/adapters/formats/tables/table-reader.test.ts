import { expect } from 'chai';
import fc from 'fast-check';
import type { FilePlan, FileSource } from '../../../../src/adapters/formats/files/file-plan.js';
import { metar } from '../../../../src/adapters/formats/makes/metar.js';
import { MAX_LINE } from '../../../../src/adapters/formats/text/line-reader.js';
import { Questions } from '../../../../src/adapters/formats/files/questions.js';
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
});
