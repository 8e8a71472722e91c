import { expect } from 'chai';
import fc from 'fast-check';
import { isGauged, isRaining, lastRainSpell } from '#domain/weather/current/rain-spell.js';
import { temperatureNow } from '#domain/weather/current/temperature-now.js';
import { compareWithUsual } from '#domain/weather/climate/unusual.js';
import { usualValues } from '#domain/weather/climate/usual.js';
import { dateNumber, dateText } from '#domain/weather/climate/climate-days.js';
import type { Series } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function seriesOf(variable: number, rows: readonly { time: number; value: number; flag?: number }[]): Series {
  return {
    times: Float64Array.from(rows, ({ time }) => time),
    values: new Map([[variable, Float64Array.from(rows, ({ value }) => value)]]),
    flags: new Map([[variable, Uint8Array.from(rows, ({ flag = 0 }) => flag)]]),
  };
}

/** Amounts every ten minutes. */
const amounts = (...values: readonly number[]) =>
  seriesOf(
    V.precipitation,
    values.map((value, index) => ({ time: (index + 1) * 10 * MINUTE, value })),
  );

describe('the present weather › rain', () => {
  it('is the time since the first wet interval after a dry hour', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            value: fc.constantFrom(0, 0, 0, 0, 0.25, 1.5, Number.NaN),
            flag: fc.constantFrom(0, 0, 0, 2),
          }),
          { maxLength: 60 },
        ),
        (cells) => {
          const rows = cells.map((cell, index) => ({ ...cell, time: (index + 1) * 10 * MINUTE }));
          // One entry for each ten minutes: wet or not. Without gaps an interval begins where the one before it ends.
          const wet = cells.map(({ value, flag }) => flag === 0 && value > 0);
          const last = wet.lastIndexOf(true);
          const spell = lastRainSpell(seriesOf(V.precipitation, rows), 10 * MINUTE);
          if (last === -1) {
            expect(spell).to.equal(undefined);
            return;
          }
          let first = last;
          for (let index = last; index >= 0 && first - index <= 6; index -= 1) if (wet[index]) first = index;
          const inside = cells.slice(first, last + 1).filter((_cell, index) => wet[first + index]);
          expect(spell).to.deep.equal({
            from: first * 10 * MINUTE,
            to: (last + 1) * 10 * MINUTE,
            amount: inside.reduceRight((sum, { value }) => sum + value, 0),
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('lasts until a dry hour, and amounts of more than an hour do not tell', () => {
    const spell = { from: 0, to: HOUR, amount: 1 };
    expect(isRaining(spell, 2 * HOUR - 1, 10 * MINUTE)).to.equal(true);
    expect(isRaining(spell, 2 * HOUR, 10 * MINUTE)).to.equal(false);
    expect(isRaining(spell, HOUR, HOUR)).to.equal(true);
    expect(isRaining(spell, HOUR, 6 * HOUR)).to.equal(false);
  });

  it('begins at the end of the value before, if it is nearer than a reporting interval', () => {
    const rows = [
      { time: 57 * MINUTE, value: 0 },
      { time: 60 * MINUTE, value: 1 },
    ];
    expect(lastRainSpell(seriesOf(V.precipitation, rows), 5 * MINUTE)?.from).to.equal(57 * MINUTE);
    expect(lastRainSpell(seriesOf(V.precipitation, rows.slice(1)), 5 * MINUTE)?.from).to.equal(55 * MINUTE);
  });

  it('is known to be absent only without long gaps', () => {
    const dry = amounts(...Array.from({ length: 30 }, () => 0));
    expect(isGauged(dry, 0, 5 * HOUR, 10 * MINUTE)).to.equal(true);
    expect(isGauged(dry, 0, 6 * HOUR, 10 * MINUTE)).to.equal(true);
    expect(isGauged(dry, 0, 6 * HOUR + 1, 10 * MINUTE)).to.equal(false);
    expect(isGauged(dry, -HOUR, 5 * HOUR, 10 * MINUTE)).to.equal(false);
    expect(isGauged(dry, 0, 8 * HOUR, HOUR)).to.equal(true);
    expect(isGauged(seriesOf(V.temperature, []), 0, 2 * HOUR, 10 * MINUTE)).to.equal(false);
  });
});

describe('the present weather › temperature', () => {
  const now = (earlier: number, newest: number, flag = 0) =>
    temperatureNow(
      seriesOf(V.temperature, [
        { time: 0, value: earlier },
        { time: 3 * HOUR, value: newest, flag },
      ]),
      3 * HOUR,
      3 * HOUR,
    );

  it('rises or falls by more than half a degree in three hours', () => {
    const cases: readonly (readonly [number, number, string])[] = [
      [4.4, 4.9, 'steady'],
      [4.3, 4.9, 'rising'],
      [4.9, 4.4, 'steady'],
      [4.9, 4.3, 'falling'],
      [0.1, 0.6, 'steady'],
    ];
    for (const [earlier, newest, trend] of cases)
      expect(now(earlier, newest)?.trend, `${earlier} ${newest}`).to.equal(trend);
  });

  it('has the newest value whatever its verdict, without a trend from it', () => {
    expect(now(4, 50, 1)).to.deep.include({ value: 50, flags: 1, change: null, trend: null });
    expect(now(4, Number.NaN)).to.deep.include({ value: 4, time: 0 });
    expect(temperatureNow(seriesOf(V.temperature, [{ time: 0, value: 1 }]), 4 * HOUR, 3 * HOUR)).to.equal(
      undefined,
    );
    expect(temperatureNow(seriesOf(V.humidity, []), 0, HOUR)).to.equal(undefined);
  });
});

describe('the present weather › the difference from other years', () => {
  it('is counted among the days of all years, as a plain search counts it', () => {
    const first = dateNumber('2014-10-01');
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 31 - 2 }),
        fc.integer({ min: 1500, max: 2700 }),
        fc.constantFrom('2021-02-28', '2020-02-29', '2020-01-03', '2019-12-29', '2021-07-18'),
        fc.integer({ min: -9, max: 9 }),
        (seed, length, date, mean) => {
          let state = seed;
          // Whole degrees, and some days without a value, from the generator of Lehmer.
          const values = Array.from({ length }, () => {
            state = (state * 48_271) % (2 ** 31 - 1);
            return state % 6 === 0 ? Number.NaN : (state % 19) - 9;
          });
          const days = Int32Array.from(values, (_value, index) => first + index);
          const found = compareWithUsual(days, Float64Array.from(values), date, mean);
          const [usual] = usualValues(days, Float64Array.from(values), [date.slice(5)]);
          const median = usual?.p50 ?? Number.NaN;
          if (Number.isNaN(median)) {
            expect(found).to.equal(undefined);
            return;
          }
          const near = new Set(
            Array.from({ length: 15 }, (_, index) =>
              dateText(dateNumber(`2016-${date.slice(5)}`) - 7 + index).slice(5),
            ),
          );
          const around = [...days]
            .map((day, row) => ({ text: dateText(day), value: values[row] as number }))
            .filter(({ text, value }) => !Number.isNaN(value) && near.has(text.slice(5)));
          const isMore = (value: number) => (mean < median ? value < mean : value > mean);
          const extreme = around.filter(({ value }) => value === mean || isMore(value));
          const years = around.map(({ text }) => Number(text.slice(0, 4)));
          const compared = {
            date: date.slice(5),
            mean,
            median,
            years: new Set(years).size,
            since: Math.min(...years),
          };
          if (Math.abs(mean - median) < 1) {
            expect(found).to.deep.equal(compared);
            return;
          }
          const others = around.filter(({ text }) => text.slice(5) === date.slice(5) && text !== date);
          expect(found).to.deep.equal({
            direction: mean < median ? 'colder' : 'warmer',
            ...compared,
            share: extreme.length / around.length,
            rank: { place: 1 + others.filter(({ value }) => isMore(value)).length, of: 1 + others.length },
          });
        },
      ),
      { numRuns: 60 },
    );
  });
});
