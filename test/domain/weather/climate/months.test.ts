import { expect } from 'chai';
import fc from 'fast-check';
import { dateText, type DayQuantity } from '#domain/weather/climate/climate-days.js';
import { dailyElements, type Element, ELEMENTS } from '#domain/weather/climate/elements.js';
import { monthsAndYears, observedRows } from '#domain/weather/climate/month-figures.js';
import type { Figure } from '#domain/weather/climate/validity.js';
import type { MonthRule } from '#domain/weather/summaries/completeness.js';
import {
  type ByDate,
  datesIn,
  daysOfYears,
  DEFAULT_RULE,
  removeDays,
  yearsIn,
} from '../../../support/climate-days.js';

const MEAN: Element = { name: 'mean', description: '', quantity: 'mean', statistic: 'mean' };
const SUM: Element = { name: 'sum', description: '', quantity: 'mean', statistic: 'sum' };
const COUNT: Element = { name: 'count', description: '', quantity: 'mean', statistic: 'days', threshold: 1 };
const HIGHEST: Element = { name: 'highest', description: '', quantity: 'mean', statistic: 'highest' };
const LOWEST: Element = { name: 'lowest', description: '', quantity: 'mean', statistic: 'lowest' };

function figures(
  element: Element,
  mean: ByDate,
  rule: MonthRule = 'wmo_1203',
  from = 2013,
  today = Number.POSITIVE_INFINITY,
) {
  const days = daysOfYears(from, from, { mean });
  const { months, years } = monthsAndYears(days.dates, yearsIn(days), dailyElements(days, [element]), {
    rule,
    today,
  });
  return {
    months: new Map(months.map((month) => [month.label, month.figures[0] as Figure])),
    years: new Map(years.map((year) => [year.label, year.figures[0] as Figure])),
  };
}

const dayOfMonth: ByDate = (date) => Number(date.slice(8));
/** Every second day, so that no two are in a row. */
const scattered = (count: number) =>
  Array.from({ length: count }, (_, index) => `2013-07-${String(2 * index + 1).padStart(2, '0')}`);

describe('climate › months', () => {
  describe('a mean or an extreme is void', () => {
    const cases: readonly [what: string, missing: string[], rule: MonthRule, holds: boolean][] = [
      ['not without missing days', [], 'wmo_1203', true],
      ['not with 10 missing days', scattered(10), 'wmo_1203', true],
      ['with 11 missing days', scattered(11), 'wmo_1203', false],
      ['not with 4 in a row', datesIn('2013-07', 10, 4), 'wmo_1203', true],
      ['with 5 in a row', datesIn('2013-07', 10, 5), 'wmo_1203', false],
      [
        'with 5 in a row and another one later',
        [...datesIn('2013-07', 10, 5), '2013-07-20'],
        'wmo_1203',
        false,
      ],
      ['with 5 in a row at the end of the month', datesIn('2013-07', 27, 5), 'wmo_1203', false],
      [
        'not with 4 in a row on both sides of a month',
        [...datesIn('2013-06', 27, 4), ...datesIn('2013-07', 1, 4)],
        'wmo_1203',
        true,
      ],
      ['not with 5 missing days, by the older rule', scattered(5), 'five_three', true],
      ['with 6 missing days, by the older rule', scattered(6), 'five_three', false],
      ['not with 3 in a row, by the older rule', datesIn('2013-07', 10, 3), 'five_three', true],
      ['with 4 in a row, by the older rule', datesIn('2013-07', 10, 4), 'five_three', false],
    ];
    for (const [what, missing, rule, holds] of cases) {
      it(what, () => {
        const ofJuly = missing.filter((date) => date.startsWith('2013-07')).length;
        for (const element of [MEAN, HIGHEST, LOWEST]) {
          const july = figures(element, removeDays(dayOfMonth, ...missing), rule).months.get('2013-07');
          expect(july).to.include({ days: 31 - ofJuly, missing: ofJuly, rule, valid: holds });
          expect(Number.isNaN(july?.value)).to.equal(!holds);
        }
      });
    }
  });

  it('are means, sums, numbers of days and extremes with their dates', () => {
    expect(figures(MEAN, dayOfMonth).months.get('2013-07')?.value).to.equal(16);
    expect(figures(SUM, dayOfMonth).months.get('2013-07')?.value).to.equal(496);
    const wet: ByDate = (date) => (dayOfMonth(date) % 10 === 0 ? 1 : 0.9);
    expect(figures(COUNT, wet).months.get('2013-07')?.value).to.equal(3);
    const [highest, lowest] = [HIGHEST, LOWEST].map((element) =>
      figures(element, (date) => dayOfMonth(date) % 15).months.get('2013-07'),
    );
    // The first of the days with the same value.
    expect([highest?.value, dateText(highest?.date ?? 0)]).to.deep.equal([14, '2013-07-14']);
    expect([lowest?.value, dateText(lowest?.date ?? 0)]).to.deep.equal([0, '2013-07-15']);
  });

  it('have no sum and no number of days if a single day is missing', () => {
    for (const element of [SUM, COUNT]) {
      const { months, years } = figures(element, removeDays(dayOfMonth, '2013-07-18'));
      expect(months.get('2013-07')).to.include({ valid: false, missing: 1, rule: 'every_day' });
      expect(months.get('2013-07')?.value).to.deep.equal(Number.NaN);
      expect(months.get('2013-08')).to.include({ valid: true, missing: 0 });
      expect(years.get('2013')).to.include({ valid: false, days: 364, missing: 1, rule: 'every_month' });
    }
  });

  it('have no greatest amount of a day if a day is missing: the missing one may be greater', () => {
    const greatest = ELEMENTS.filter(({ name }) => name === 'greatest_daily_precipitation');
    const figureOf = (precipitation: ByDate) => {
      const days = daysOfYears(2013, 2013, { precipitation });
      const { months, years } = monthsAndYears(
        days.dates,
        yearsIn(days),
        dailyElements(days, greatest),
        DEFAULT_RULE,
      );
      return [months[7]?.figures[0], years[0]?.figures[0]];
    };
    const [august, year] = figureOf(dayOfMonth);
    expect(august).to.include({ value: 31, rule: 'every_day', valid: true });
    expect(dateText(august?.date ?? 0)).to.equal('2013-08-31');
    expect(year).to.include({ value: 31, valid: true });
    for (const figure of figureOf(removeDays(dayOfMonth, '2013-08-13'))) {
      expect(figure).to.include({ missing: 1, valid: false });
      expect(figure).to.deep.include({ value: Number.NaN, date: Number.NaN });
    }
  });

  it('have as the highest wind the higher one of gust and speed, also on days without a gust', () => {
    const peak: Element = { name: 'peak', description: '', quantity: 'peakWind', statistic: 'highest' };
    const highest = (speeds: ByDate, gusts: ByDate) => {
      const days = daysOfYears(2013, 2013, { highestWind: speeds, gust: gusts });
      const { months } = monthsAndYears(days.dates, yearsIn(days), dailyElements(days, [peak]), DEFAULT_RULE);
      return months[6]?.figures[0];
    };
    const [calm, none]: ByDate[] = [() => 8, () => Number.NaN];
    const gusty: ByDate = (date) => (date === '2013-07-18' ? 21 : Number.NaN);
    expect(highest(calm as ByDate, gusty)).to.include({ value: 21, days: 31, valid: true });
    expect(highest(calm as ByDate, none as ByDate)).to.include({ value: 8, days: 31 });
    expect(highest(none as ByDate, gusty)).to.include({ days: 1, valid: false });
  });

  it('count a day by its value on the right side of the limit, and the limit itself by the rule of the element', () => {
    const july = (name: string, quantity: DayQuantity, values: readonly number[]) => {
      const none: ByDate = () => Number.NaN;
      const valueOf: ByDate = (date) => values[Number(date.slice(8)) - 1] ?? 15;
      const days = daysOfYears(2013, 2013, {
        minimum: none,
        maximum: none,
        snowDepth: none,
        highestWind: none,
        gust: none,
        [quantity]: valueOf,
      });
      const elements = ELEMENTS.filter((element) => element.name === name);
      return monthsAndYears(days.dates, yearsIn(days), dailyElements(days, elements), DEFAULT_RULE).months[6]
        ?.figures[0]?.value;
    };
    const cases: readonly [name: string, quantity: DayQuantity, values: number[], days: number][] = [
      ['frost_days', 'minimum', [-0.1, 0, -5], 2],
      ['ice_days', 'maximum', [-0.1, 0, 0.1], 1],
      ['summer_days', 'maximum', [24.9, 25, 25.1, 31], 3],
      ['hot_days', 'maximum', [29.9, 30, 31], 2],
      ['tropical_nights', 'minimum', [19.9, 20, 21], 2],
      ['snow_cover_days', 'snowDepth', [0.009, 0.01, 0.5, ...Array.from({ length: 28 }, () => 0)], 2],
      ['gale_days', 'gust', [17.1, 17.2, 30], 2],
      ['gale_days', 'highestWind', [17.1, 17.2, 30], 2],
    ];
    for (const [name, quantity, values, days] of cases)
      expect(july(name, quantity, values), name).to.equal(days);
  });

  it('make a year: the mean of the months, the sum, and the extreme of all; void with one void month', () => {
    const monthNumber: ByDate = (date) => Number(date.slice(5, 7));
    expect(figures(MEAN, monthNumber).years.get('2013')?.value).to.equal(6.5);
    expect(figures(SUM, () => 1).years.get('2013')?.value).to.equal(365);
    expect(figures(SUM, () => 1, 'wmo_1203', 2012).years.get('2012')?.value).to.equal(366);
    const highest = figures(HIGHEST, monthNumber).years.get('2013');
    expect([highest?.value, dateText(highest?.date ?? 0)]).to.deep.equal([12, '2013-12-01']);
    const incomplete = figures(MEAN, removeDays(monthNumber, ...datesIn('2013-07', 10, 5))).years.get('2013');
    expect(incomplete).to.include({ valid: false, missing: 5 });
    expect(incomplete?.value).to.deep.equal(Number.NaN);
  });

  it('count the days of February, in leap years too', () => {
    const lengths = [1900, 2000, 2012, 2013].map(
      (year) => figures(SUM, () => 1, 'wmo_1203', year).months.get(`${year}-02`)?.value,
    );
    expect(lengths).to.deep.equal([28, 29, 29, 28]);
  });

  it('begin and end with the data: a station that begins in July has a void year', () => {
    const days = daysOfYears(2013, 2015, {
      mean: removeDays(dayOfMonth, '2013-0', '2015-1', '2015-09', '2014-03'),
    });
    const { months, years } = monthsAndYears(
      days.dates,
      yearsIn(days),
      dailyElements(days, [MEAN]),
      DEFAULT_RULE,
    );
    const shown = observedRows(days, months).map(({ label }) => label);
    expect([shown[0], shown.at(-1), shown.length]).to.deep.equal(['2013-10', '2015-08', 23]);
    expect(shown).to.include('2014-03');
    expect(years.map(({ figures: [year] }) => year?.valid)).to.deep.equal([false, false, false]);
    expect(observedRows(undefined, months)).to.deep.equal([]);
  });

  it('are those of the calendar, whichever days the table has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1600, max: 2400 }), fc.integer({ min: 0, max: 3 }), (from, more) => {
        const days = daysOfYears(from, from + more, { mean: () => 0 });
        const years = yearsIn(days);
        expect(years.map(({ year }) => year)).to.deep.equal(
          Array.from({ length: more + 1 }, (_, index) => from + index),
        );
        for (const { year, months } of years) {
          expect(months.map(({ month }) => month)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
          for (const { month, from: begin, to } of months)
            expect(to - begin).to.equal(new Date(Date.UTC(year, month, 0)).getUTCDate());
        }
      }),
      { numRuns: 20 },
    );
  });
});
