import { expect } from 'chai';
import fc from 'fast-check';
import type { Series } from '#domain/weather/series.js';
import { Summaries } from '#domain/weather/summaries/summaries.js';
import { V } from '#domain/weather/variables.js';

const HOUR = 3_600_000;
const DAYS = Array.from({ length: 4 }, (_, day) => ({ start: day * 24 * HOUR, end: (day + 1) * 24 * HOUR }));
const VARIABLES = [
  V.temperature,
  V.windSpeed,
  V.windDirection,
  V.gust,
  V.gustDirection,
  V.precipitation,
  V.radiation,
];

const value = fc.constantFrom(Number.NaN, Number.NaN, 0, 0.3, 8, 180);
const row = fc.record({
  hour: fc.nat(4 * 24),
  values: fc.tuple(...VARIABLES.map(() => value)),
  flag: fc.constantFrom(0, 0, 0, 1),
  /** Whether a part of the rows ends before this row. */
  isCut: fc.boolean(),
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

/** The columns of some rows. @param isWhole whether columns without any value are there too */
function seriesOf(rows: readonly Row[], isWhole: boolean): Series {
  const columns = VARIABLES.map(
    (variable, at) => [variable, Float64Array.from(rows, ({ values }) => values[at] as number)] as const,
  ).filter(([, column]) => isWhole || !column.every(Number.isNaN));
  const flags = columns.map(([variable]) => [variable, Uint8Array.from(rows, ({ flag }) => flag)] as const);
  return {
    times: Float64Array.from(rows, ({ hour }) => hour * HOUR),
    values: new Map(columns),
    flags: new Map(flags),
  };
}

describe('sums of rows that are stored in parts', () => {
  it('do not depend on the parts, nor on the columns without values in them', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { selector: ({ hour }) => hour, maxLength: 30 }),
        fc.constantFrom(3600, 600, null),
        fc.constantFrom(VARIABLES, undefined),
        fc.boolean(),
        (unsorted, reportingInterval, variables, includeAll) => {
          const rows = unsorted.toSorted((one, other) => one.hour - other.hour);
          const sumsOf = (series: readonly Series[]) => {
            const summaries = new Summaries(DAYS, { variables, includeAll, reportingInterval });
            for (const part of series) summaries.add(part);
            return new Map([...summaries.sums(0, DAYS.length)].toSorted(([one], [other]) => one - other));
          };
          const parts: Row[][] = [[]];
          for (const one of rows) {
            if (one.isCut) parts.push([]);
            parts.at(-1)?.push(one);
          }
          const expected = sumsOf([seriesOf(rows, true)]);
          expect(sumsOf(parts.map((part) => seriesOf(part, false)))).to.deep.equal(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});
