import { expect } from 'chai';
import fc from 'fast-check';
import { dateNumber, dateText } from '#domain/weather/climate/climate-days.js';
import {
  DATES_OF_YEAR,
  MIN_YEARS_OF_USUAL,
  percentile,
  usualValues,
  WINDOW_DAYS,
} from '#domain/weather/climate/usual.js';

const FIRST = dateNumber('1999-06-01');
const NO_DAYS = new Int32Array(0);

describe('climate › usual values', () => {
  it('have the percentiles of definition 8 of Hyndman and Fan', () => {
    const of = (share: number, ...values: number[]) => percentile(Float64Array.from(values), share);
    // Ranks (n + 1/3) p + 1/3: 0.766…, 2.5 and 4.233….
    expect(of(0.1, 1, 2, 3, 4)).to.equal(1);
    expect(of(0.5, 1, 2, 3, 4)).to.equal(2.5);
    expect(of(0.9, 1, 2, 3, 4)).to.equal(4);
    expect(of(0.9, 7)).to.equal(7);
    const ten = Array.from({ length: 10 }, (_, index) => index + 1);
    expect(of(0.1, ...ten)).to.be.closeTo(1 + 11 / 30, 1e-12);
    expect(of(0.9, ...ten)).to.be.closeTo(9 + 19 / 30, 1e-12);
  });

  it('use the values of the date and of the days around it, in all years, across the turn of the year', () => {
    const value = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: -300, max: 400 }) },
      fc.constant(Number.NaN),
    );
    const series = fc.array(value, { minLength: 1, maxLength: 9 * 366 });
    fc.assert(
      fc.property(series, fc.constantFrom(...DATES_OF_YEAR, '02-29', '01-03', '12-28'), (all, date) => {
        const days = Int32Array.from(all, (_, index) => FIRST + index);
        const [usual] = usualValues(days, Float64Array.from(all), [date]);
        const around = new Set(
          Array.from({ length: 2 * WINDOW_DAYS + 1 }, (_, index) => {
            // The dates around a date, in a leap year.
            const near = dateNumber(`2004-${date}`) - WINDOW_DAYS + index;
            const text = dateText(near).slice(5);
            return text;
          }),
        );
        if (around.has('01-01')) around.add('12-31');
        const used = [...days].flatMap((day, row) => {
          const text = dateText(day);
          const isUsed = around.has(text.slice(5)) && !Number.isNaN(all[row]);
          return isUsed ? [{ year: text.slice(0, 4), value: all[row] as number }] : [];
        });
        expect(usual?.count).to.equal(used.length);
        if (new Set(used.map(({ year }) => year)).size < MIN_YEARS_OF_USUAL) {
          expect(usual).to.deep.include({ p10: Number.NaN, p50: Number.NaN, p90: Number.NaN });
          return;
        }
        const sorted = Float64Array.from(used, (one) => one.value).sort();
        expect([usual?.p10, usual?.p50, usual?.p90]).to.deep.equal(
          [0.1, 0.5, 0.9].map((share) => percentile(sorted, share)),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('are unknown without values, for each date of a leap year', () => {
    expect(DATES_OF_YEAR).to.have.length(366).and.to.include('02-29');
    const unknown = { p10: Number.NaN, p50: Number.NaN, p90: Number.NaN, count: 0 };
    expect(usualValues(NO_DAYS, new Float64Array(0), ['02-29'])).to.deep.equal([unknown]);
  });
});
