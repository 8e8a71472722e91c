import { expect } from 'chai';
import fc from 'fast-check';
import { dateNumber, dateText } from '#domain/weather/climate/climate-days.js';
import { startBefore } from '#domain/weather/indices/index-rows.js';

describe('The start of the sums of an index', () => {
  it('is the last requested date on or before a day, in any year', () => {
    const years = fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 100, max: 9999 }));
    fc.assert(
      fc.property(
        years,
        fc.integer({ min: 0, max: 364 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 28 }),
        (year, day, startMonth, startDay) => {
          const date = dateNumber(`${String(year).padStart(4, '0')}-01-01`) + day;
          const start = startBefore(date, { month: startMonth, day: startDay });
          expect(date - start).to.be.within(0, 366);
          expect(new Date(start * 86_400_000).toISOString().slice(-19, -14)).to.equal(
            `${String(startMonth).padStart(2, '0')}-${String(startDay).padStart(2, '0')}`,
          );
        },
      ),
    );
  });
});

describe('The text of a date', () => {
  it('is a date for each calendar, also before the year 0', () => {
    for (const text of [
      '-000001-12-31',
      '0000-01-01',
      '0001-01-01',
      '0099-12-31',
      '2024-02-29',
      '9999-12-31',
    ])
      expect(dateText(Date.parse(`${text}T00:00:00Z`) / 86_400_000)).to.equal(text);
  });
});
