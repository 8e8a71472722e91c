import { expect } from 'chai';
import fc from 'fast-check';
import { MILLISECONDS } from '#domain/time.js';
import { type ByDate, datesIn, removeDays } from '../../../support/climate-days.js';
import { dayParity, index, of2013, spell } from '../../../support/climate-index.js';

describe('climate › spells', () => {
  describe('CDD and CWD', () => {
    it('count a spell over the end of the year where it ends, with all of its days', () => {
      const wetUntil: ByDate = (date) => (date < '2013-12-20' || date > '2014-01-10' ? 5 : 0);
      const dry = index('CDD', { precipitation: wetUntil }, { to: 2014 });
      expect([dry.get('2013')?.value, dry.get('2014')?.value]).to.deep.equal([0, 22]);
    });

    it('count a spell up to the end of all days', () => {
      const wetUntil: ByDate = (date) => (date < '2013-12-22' ? 5 : 0);
      expect(of2013('CDD', { precipitation: wetUntil })).to.equal(10);
    });

    it('are void in a year that a spell fills and does not end in', () => {
      const rain: ByDate = (date) => (date === '2012-06-30' || date === '2014-03-02' ? 5 : 0);
      const dry = index('CDD', { precipitation: rain }, { from: 2012, to: 2014 });
      // 182 days up to June 30 of a leap year without it: 181; from July 1, 2012, to March 1, 2014: 184 + 365 + 60.
      expect(dry.get('2012')).to.include({ value: 181, rule: 'climdex_spell' });
      expect(dry.get('2013')).to.include({ valid: false, missing: 0 });
      expect(dry.get('2014')?.value).to.equal(184 + 365 + 60);
    });

    it('are those of a naive search, for any weather', () => {
      const weather = fc.array(fc.constantFrom(0, 0.9, 1, 7, Number.NaN), { minLength: 60, maxLength: 60 });
      fc.assert(
        fc.property(weather, fc.boolean(), (days, isDry) => {
          // Sixty days around the end of a year; the others are wet and dry in turn. Up to three days are missing in each month.
          const known = days.map((value, place) => (Number.isNaN(value) && place % 10 !== 0 ? 0 : value));
          const start = Date.parse('2013-12-02T00:00:00Z');
          const amount: ByDate = (date) => {
            const place = Math.round((Date.parse(`${date}T00:00:00Z`) - start) / MILLISECONDS.day);
            return known[place] ?? dayParity(date);
          };
          const meets = (value: number) => (isDry ? value < 1 : value >= 1);
          const found = index(isDry ? 'CDD' : 'CWD', { precipitation: amount }, { to: 2014 });
          expect([found.get('2013')?.value, found.get('2014')?.value]).to.deep.equal(naive(amount, meets));
        }),
        { numRuns: 40 },
      );
    });
  });

  describe('the growing season', () => {
    const season = (mean: ByDate, isNorthern = true, to = 2013) =>
      index('GSL', { maximum: mean, minimum: mean }, { isNorthern, to });
    const between =
      (first: string, last: string): ByDate =>
      (date) =>
        date >= first && date <= last ? 12 : 3;

    it('is from the first 6 warm days in a row to the day before the first 6 cold ones after June', () => {
      // April 1 to October 15: 30 + 31 + 30 + 31 + 31 + 30 + 15 days.
      expect(season(between('2013-04-01', '2013-10-15')).get('2013')?.value).to.equal(198);
    });

    it('does not begin with 5 warm days, or at 5 °C, and not in the second half of the year', () => {
      expect(season(spell(12, 3, ...datesIn('2013-04', 1, 5))).get('2013')?.value).to.equal(0);
      // Six days in April, and six cold ones from July 1 on: from April 1 to June 30.
      expect(season(spell(12, 3, ...datesIn('2013-04', 1, 6))).get('2013')?.value).to.equal(91);
      expect(season(() => 5).get('2013')?.value).to.equal(0);
      expect(season(between('2013-07-01', '2013-12-31')).get('2013')?.value).to.equal(0);
      // Five days before July do not begin it, with more behind them.
      expect(season(between('2013-06-26', '2013-12-31')).get('2013')?.value).to.equal(0);
    });

    it('ends with the year where it does not turn cold', () => {
      expect(season(between('2013-04-01', '2013-12-31')).get('2013')?.value).to.equal(275);
      expect(season(() => 12).get('2013')?.value).to.equal(365);
    });

    it('is not ended by days at 5 °C', () => {
      const cool: ByDate = (date) => (date < '2013-10-01' ? 12 : 5);
      expect(season(cool).get('2013')?.value).to.equal(365);
    });

    it('is not ended by 5 cold days, and a missing day breaks a run', () => {
      const cold = spell(3, 12, ...datesIn('2013-09', 1, 5));
      expect(season(cold).get('2013')?.value).to.equal(365);
      const six = spell(3, 12, ...datesIn('2013-09', 1, 6));
      expect(season(six).get('2013')?.value).to.equal(243);
      expect(season(removeDays(six, '2013-09-03')).get('2013')?.value).to.equal(365);
    });

    it('is from July to June in the south, where the last year has none', () => {
      const warm = between('2013-10-01', '2014-04-15');
      const found = season(warm, false, 2014);
      // October 1 to April 15: 31 + 30 + 31 + 31 + 28 + 31 + 15 days.
      expect(found.get('2013')).to.include({ value: 197, rule: 'climdex_southern_season', missing: 0 });
      expect(found.get('2014')).to.include({ valid: false });
      const gaps = season(removeDays(warm, ...datesIn('2013-11', 1, 15)), false, 2014);
      expect(gaps.get('2013')).to.include({ valid: true, missing: 15 });
      const many = season(removeDays(warm, ...datesIn('2013-11', 1, 16)), false, 2014);
      expect(many.get('2013')).to.include({ valid: false, missing: 16 });
    });
  });
});

/** The longest spells that end in 2013 and in 2014, found day by day. */
function naive(amount: ByDate, meets: (value: number) => boolean): number[] {
  const dates: string[] = [];
  for (
    let day = new Date('2013-01-01T00:00:00Z');
    day.getUTCFullYear() < 2015;
    day.setUTCDate(day.getUTCDate() + 1)
  )
    dates.push(day.toISOString().slice(0, 10));
  const text = dates.map((date) => (meets(amount(date)) ? 'x' : '.')).join('');
  const longest = [0, 0];
  for (const match of text.matchAll(/x+/g)) {
    const end = (match.index ?? 0) + match[0].length - 1;
    const year = Number(dates[end]?.slice(0, 4)) - 2013;
    longest[year] = Math.max(longest[year] ?? 0, match[0].length);
  }
  return longest;
}
