import { expect } from 'chai';
import type { ColumnPlan, FilePlan, FileSource } from '#adapters/formats/files/file-plan.js';
import { TableReader } from '#adapters/formats/tables/table-reader.js';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import type { SourceFlag } from '#domain/weather/source-flags.js';

const RAIN = { variable: 'daily_precipitation_amount', unit: 'mm' } as const;
const GAUGE = 'failed a check of the agency: gauge';

const planOf = (columns: readonly ColumnPlan[], delimiter = ','): FilePlan => ({
  title: 'test',
  layout: { kind: 'delimited', delimiter, first: 1 },
  time: { at: [0], headings: ['time'], formats: ['unix'], zone: 'utc' },
  columns,
});

/** The flags of the columns, for each chunk of rows; undefined for a column without a list. */
async function flagsIn(plan: FilePlan, text: string) {
  const source = {
    text: async function* () {
      yield Buffer.from(text);
    },
    canRepeat: true,
    path: undefined,
  } as unknown as FileSource;
  const reader = new TableReader(plan, {
    stationOf: () => 'x',
    zoneOf: () => 'UTC',
    calendar: new TemporalCalendar(),
    ambiguous: 'order',
  });
  const found: (readonly (readonly (SourceFlag | undefined)[] | undefined)[])[] = [];
  for await (const { parts } of reader.chunks(source))
    for (const { rows } of parts) found.push(rows.columns.map(({ flags }) => flags));
  return found;
}

const texts = (flags: readonly (SourceFlag | undefined)[] | undefined) =>
  flags?.map((flag) => (flag === undefined ? undefined : [flag.text, flag.failure]));

describe('the flags of a file', () => {
  const column = (more: object): ColumnPlan => ({ kind: 'value', at: 1, heading: 'RR', ...RAIN, ...more });

  it('are the trimmed texts of their fields, joined with commas; nothing if all are empty', async () => {
    const plan = planOf([column({ flags: [2, 3, 4] })]);
    const [[flags] = []] = await flagsIn(plan, '1,0.5, T ,,0\n2,0.5,,,7\n3,0.5,,,\n4,0.5,,\n');
    expect(texts(flags)).to.deep.equal([
      ['T,,0', null],
      [',,7', null],
      ['', null],
      ['', null],
    ]);
  });

  it('say why a value failed, and the value is read', async () => {
    const reason = { S: 'spatial', G: 'gap' };
    for (const [failed, rows, expected] of [
      [{ when: { at: 2, not: ['', '0'] }, reason: GAUGE }, ['1,5,9', '2,5,0', '3,5,'], [GAUGE, null, null]],
      [
        { when: { at: 2, not: [''] }, reason },
        ['1,5,S', '2,5,G', '3,5,?'],
        ['spatial', 'gap', 'failed a check of the source (flag ?)'],
      ],
      [
        { when: { at: 2, matches: /^[^;]?;([A-Z])/, text: 'failed' }, reason },
        ['1,5,;S;7', '2,5,T;G;7', '3,5,T;;7'],
        ['spatial', 'gap', null],
      ],
      [
        { when: { at: 2, texts: ['toString'] }, reason },
        ['1,5,toString'],
        ['failed a check of the source (flag toString)'],
      ],
    ] as const) {
      const [[flags] = []] = await flagsIn(planOf([column({ failed })]), `${rows.join('\n')}\n`);
      expect(flags?.map((flag) => flag?.failure)).to.deep.equal(expected);
    }
  });

  it('have at most 200 characters in the flags and in the reason, and no control characters', async () => {
    const failed = { when: { at: 2, not: [''] }, reason: {} };
    const plan = planOf([column({ flags: [2, 3], failed })]);
    const long = 'x'.repeat(10_000);
    const [[flags] = []] = await flagsIn(plan, `1,5,${long},${long}\n2,5,\u001B[2J\u0007G,\u009B1m\n`);
    expect(texts(flags)).to.deep.equal([
      ['x'.repeat(200), `failed a check of the source (flag ${'x'.repeat(200)})`],
      [' [2J G, 1m', 'failed a check of the source (flag  [2J G)'],
    ]);
  });

  it('of a trace that failed apply to its mark too', async () => {
    const plan = planOf([
      column({ flags: [2], failed: { when: { at: 2, texts: ['X'] }, reason: GAUGE }, traces: ['T'] }),
    ]);
    const [[amounts, traces] = []] = await flagsIn(plan, '1,T,X\n2,T,\n3,1,X\n');
    expect(texts(amounts)).to.deep.equal([
      ['X', GAUGE],
      ['', null],
      ['X', GAUGE],
    ]);
    expect(texts(traces)).to.deep.equal([['', GAUGE], undefined, undefined]);
    // A trace that passed has no mark that was left from the chunk before.
    const lines = Array.from({ length: 16_384 }, (_, row) => `${row},T,${row < 8192 ? 'X' : ''}\n`);
    const [first, second] = await flagsIn(plan, lines.join(''));
    expect([first?.[1]?.[0]?.failure, second?.[1]?.[0]]).to.deep.equal([GAUGE, undefined]);
  });

  it('stay with their rows in each chunk and in each part, and a row without a value has none', async () => {
    const inches = { ...column({ flags: [4] }), at: 3, unit: 'in' } as ColumnPlan;
    const plan = planOf([column({ flags: [2] }), inches]);
    const lines: string[] = [];
    for (let row = 0; row < 20_000; row += 1)
      lines.push(
        row % 7 === 3 ? `${row},,lost,,` : row % 5 === 0 ? `${row},,,1,i${row}` : `${row},1,m${row},,`,
      );
    const expected = lines.flatMap((_line, row) =>
      row % 7 === 3 ? [] : [row % 5 === 0 ? `i${row}` : `m${row}`],
    );
    const found = (await flagsIn(plan, `${lines.join('\n')}\n`)).flatMap((columns) =>
      columns.flatMap((flags) => flags?.flatMap((flag) => flag?.text ?? []) ?? []),
    );
    const number = (text: string) => Number(text.slice(1));
    expect(found.toSorted((a, b) => number(a) - number(b))).to.deep.equal(expected);
  });

  it('need no list for a column without flags', async () => {
    const plain: ColumnPlan = {
      ...column({}),
      at: 2,
      variable: 'daily_thickness_of_snowfall_amount',
    } as ColumnPlan;
    const [columns] = await flagsIn(planOf([column({ flags: [3] }), plain]), '1,1,1,x\n');
    expect(columns?.map((flags) => flags?.length)).to.deep.equal([1, undefined]);
    const [none] = await flagsIn(planOf([column({}), plain]), '1,1,1,x\n');
    expect(none).to.deep.equal([undefined, undefined]);
  });
});
