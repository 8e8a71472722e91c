import { expect } from 'chai';
import fc from 'fast-check';
import { checkBetween } from '#domain/weather/quality/check-between.js';
import { writeSeries } from '#domain/weather/merge-series.js';
import { recheck, newTail } from '#domain/weather/quality-control.js';
import { rulesOf } from '#domain/weather/quality/station-rules.js';
import type { Series } from '#domain/weather/series.js';

const START = Date.UTC(2024, 0, 1);

describe('checkBetween', () => {
  const value = fc.constantFrom(0, 5, 14, 30, 99, Number.NaN);
  const row = fc.record({ minute: fc.integer({ min: 0, max: 300 }), temperature: value, wind: value });
  const rows = (options: { minLength: number }) =>
    fc.uniqueArray(row, { ...options, maxLength: 15, selector: ({ minute }) => minute });
  const rules = rulesOf({ limits: { air_temperature: { min: -10, max: 50 } }, reportingInterval: 60 });
  const series = (all: readonly { minute: number; temperature: number; wind: number }[]): Series => {
    const sorted = all.toSorted((a, b) => a.minute - b.minute);
    return {
      times: Float64Array.from(sorted, ({ minute }) => START + minute * 60_000),
      values: new Map([
        [1, Float64Array.from(sorted, ({ temperature }) => temperature)],
        [6, Float64Array.from(sorted, ({ wind }) => wind)],
      ]),
      flags: new Map(),
    };
  };

  it('gives new rows the flags that merging gives them, or refuses rows whose times are stored', () => {
    fc.assert(
      fc.property(rows({ minLength: 0 }), rows({ minLength: 1 }), (before, added) => {
        const stored = recheck(series(before), rules, newTail());
        const columns = { ...series(added), flags: new Map<number, Uint8Array>() };
        const isStored = columns.times.some((time) => stored.times.includes(time));
        expect(checkBetween(columns, 0, columns.times.length, stored, rules)).to.equal(!isStored);
        if (isStored) {
          expect(columns.flags.size).to.equal(0);
          return;
        }
        const merged = writeSeries(stored, { series: series(added), folded: 0 }, rules).series;
        for (const [index, time] of columns.times.entries())
          for (const variable of [1, 6])
            expect(columns.flags.get(variable)?.[index] ?? 0).to.equal(
              merged.flags.get(variable)?.[merged.times.indexOf(time)] ?? 0,
            );
      }),
      { numRuns: 500 },
    );
  });
});
