import { expect } from 'chai';
import fc from 'fast-check';
import { NO_RULES } from '#domain/weather/quality/station-rules.js';
import type { Series } from '#domain/weather/series.js';
import { eraseValues } from '#domain/weather/undo/erase-values.js';

const HOUR = 3_600_000;
const value = fc.oneof(fc.constant(Number.NaN), fc.integer({ min: 1, max: 20 }));
/** A series of hours in which each row has a value. */
const stored: fc.Arbitrary<Series> = fc
  .uniqueArray(fc.tuple(fc.nat(20), value, value), { selector: ([hour]) => hour, maxLength: 12 })
  .map((rows) =>
    rows
      .filter(([, ...values]) => !values.every((one) => Number.isNaN(one)))
      .toSorted(([first], [second]) => first - second),
  )
  .map((rows) => ({
    times: Float64Array.from(rows, ([hour]) => hour * HOUR),
    values: new Map([
      [1, Float64Array.from(rows, ([, one]) => one)],
      [3, Float64Array.from(rows, ([, , other]) => other)],
    ]),
    flags: new Map(),
  }));
const hour = fc.integer({ min: -2, max: 23 });

/** `hour: value value` of each row that has a value. */
const rowsOf = ({ times, values }: Series) =>
  [...times].flatMap((time, row) => {
    const cells = [1, 3].map((variable) => values.get(variable)?.[row] ?? Number.NaN);
    return cells.every((one) => Number.isNaN(one)) ? [] : [`${time / HOUR}: ${cells.join(' ')}`];
  });

describe('erased values', () => {
  it('are those of the range and the variables, whether erased by request or by age', () => {
    fc.assert(
      fc.property(
        stored,
        hour,
        hour,
        fc.constantFrom<readonly number[] | undefined>(undefined, [1], [3], [1, 3], []),
        fc.boolean(),
        (...given) => {
          const [series, from, to, variables, isExpiry] = given;
          const range = {
            from: from * HOUR,
            to: to * HOUR,
            isExpiry,
            variables: isExpiry ? undefined : variables,
          };
          const found = eraseValues(series, range, NO_RULES);
          const expected: string[] = [];
          const gone: number[] = [];
          let [rows, values] = [0, 0];
          for (const [row, time] of series.times.entries()) {
            const isInside = time >= from * HOUR && time < to * HOUR;
            const cells = [1, 3].map((variable) => series.values.get(variable)?.[row] ?? Number.NaN);
            const isErased = (variable: number) => isInside && (range.variables?.includes(variable) ?? true);
            const left = cells.map((cell, index) => (isErased(index === 0 ? 1 : 3) ? Number.NaN : cell));
            const lost = cells.filter((cell, index) => !Object.is(cell, left[index])).length;
            values += lost;
            if (lost > 0) rows += 1;
            if (left.every((one) => Number.isNaN(one))) gone.push(time);
            else expected.push(`${time / HOUR}: ${left.join(' ')}`);
          }
          expect(rowsOf(found.series)).to.deep.equal(expected);
          expect([...found.removed]).to.deep.equal(gone);
          expect(found.takenBack).to.deep.equal({ rows, values });
          expect(found.overwritten).to.deep.equal({ rows: 0, values: 0 });
          if (!isExpiry) return;
          expect(found.span).to.deep.equal(gone.length === 0 ? undefined : [gone[0], gone.at(-1)]);
          expect([...found.touched]).to.deep.equal(expected.map(() => 0));
        },
      ),
      { numRuns: 500 },
    );
  });
});
