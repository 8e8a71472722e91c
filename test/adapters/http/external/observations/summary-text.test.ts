import { expect } from 'chai';
import fc from 'fast-check';
import { summaryTexts } from '../../../../../src/adapters/http/external/observations/summary-text.js';
import type { SummaryPage } from '../../../../../src/application/observations/read/summarize.js';
import type { SummaryRow } from '../../../../../src/application/observations/read/summary-parts.js';
import type { Statistics } from '../../../../../src/domain/weather/summaries/accumulator.js';
import { variableNumbered } from '../../../../../src/domain/weather/variables.js';

const HOUR = 3_600_000;

describe('summaryTexts', () => {
  it('writes what the statistics are, with ten digits', () => {
    const number = fc.oneof(
      fc.integer({ min: -90_000, max: 110_000 }).map((value) => value / 100),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(
        Number.NaN,
        -0,
        0,
        1 / 3,
        999_999.9994,
        1e21,
        1e-7,
        Infinity,
        1.797_693_134_862_315_7e308,
      ),
    );
    const variables = [1, 6, 7, 8, 9].map(variableNumbered);
    const statistics = fc.record<Statistics>({
      count: fc.nat(200),
      min: number,
      minTime: fc.constantFrom(Number.NaN, HOUR),
      max: number,
      maxTime: fc.constantFrom(Number.NaN, 2 * HOUR),
      mean: number,
      sum: number,
    });
    const row = fc.record<SummaryRow>({
      start: fc.nat(1000),
      end: fc.nat(1000),
      complete: fc.constantFrom(true, false, null),
      expected: fc.constantFrom(null, 144),
      statistics: fc.array(statistics, { minLength: variables.length, maxLength: variables.length }),
    });
    const format = (time: number) => `at ${time}`;
    const page = (rows: readonly SummaryRow[]) => ({ rows, variables, format }) as unknown as SummaryPage;
    const shown = (value: number) => {
      const rounded = Number(value.toPrecision(10)) + 0;
      return Number.isFinite(rounded) ? rounded : null;
    };
    const time = (value: number) => (Number.isNaN(value) ? null : format(value));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), (rows) => {
        const found = JSON.parse(
          [...summaryTexts({ success: true }, page(rows), 'metric')].join(''),
        ) as unknown;
        const expected = rows.map((one) => ({
          start: format(one.start),
          end: format(one.end),
          complete: one.complete,
          ...Object.fromEntries(
            variables.map(({ name, aggregation }, index) => {
              const { count, min, minTime, max, maxTime, mean, sum } = one.statistics[index] as Statistics;
              const low = { min: shown(min), min_time: time(minTime) };
              const high = { max: shown(max), max_time: time(maxTime) };
              const measures = {
                sum: { sum: shown(sum) },
                direction: { mean: shown(mean) },
                maximum: high,
                mean: { ...low, ...high, mean: shown(mean) },
              }[aggregation];
              return [name, { count, expected: one.expected, ...measures }];
            }),
          ),
        }));
        expect(found).to.deep.equal({ success: true, summaries: expected });
      }),
    );
  });
});
