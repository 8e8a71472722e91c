import { expect } from 'chai';
import fc from 'fast-check';
import { checkBetween } from '#domain/weather/quality/check-between.js';
import { writeSeries } from '#domain/weather/merge-series.js';
import { flagRows, recheck, newTail } from '#domain/weather/quality-control.js';
import { rulesOf } from '#domain/weather/quality/station-rules.js';
import type { Series } from '#domain/weather/series.js';
import { StationState } from '#domain/weather/station-state.js';
import { V } from '#domain/weather/variables.js';

const START = Date.UTC(2024, 0, 1);

describe('checks of rows that arrive one after the other', () => {
  const value = fc.constantFrom(0, 5, 14, 30, 99, Number.NaN);
  const minutes = fc.integer({ min: 0, max: 300 });
  // A dew point above the temperature contradicts it.
  const row = fc.record({ minute: minutes, temperature: value, dewPoint: value, wind: value });
  const variables = [V.temperature, V.dewPoint, V.windSpeed];
  const rows = (options: { minLength: number }) =>
    fc.uniqueArray(row, { ...options, maxLength: 15, selector: ({ minute }) => minute });
  const rules = rulesOf({ limits: { air_temperature: { min: -10, max: 50 } }, reportingInterval: 60 });
  const series = (all: readonly Record<'minute' | 'temperature' | 'dewPoint' | 'wind', number>[]): Series => {
    const sorted = all.toSorted((a, b) => a.minute - b.minute);
    return {
      times: Float64Array.from(sorted, ({ minute }) => START + minute * 60_000),
      values: new Map([
        [V.temperature, Float64Array.from(sorted, ({ temperature }) => temperature)],
        [V.dewPoint, Float64Array.from(sorted, ({ dewPoint }) => dewPoint)],
        [V.windSpeed, Float64Array.from(sorted, ({ wind }) => wind)],
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
          for (const variable of variables)
            expect(columns.flags.get(variable)?.[index] ?? 0).to.equal(
              merged.flags.get(variable)?.[merged.times.indexOf(time)] ?? 0,
            );
      }),
      { numRuns: 500 },
    );
  });

  it('gives appended rows the same flags in one write as in many', () => {
    fc.assert(
      fc.property(rows({ minLength: 1 }), (all) => {
        const together = recheck(series(all), rules, newTail());
        const columns = { ...series(all), flags: new Map<number, Uint8Array>() };
        const state = new StationState();
        for (let at = 0; at < all.length; at += 1) {
          flagRows(columns, at, at + 1, rules, state.tail);
          state.advanceRows(columns, at, at + 1);
        }
        expect(columns.flags).to.deep.equal(together.flags);
      }),
      { numRuns: 500 },
    );
  });
});
