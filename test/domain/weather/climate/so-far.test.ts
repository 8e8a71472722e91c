import { expect } from 'chai';
import fc from 'fast-check';
import { dateNumber, dateText } from '#domain/weather/climate/climate-days.js';
import { dailyElements, type Element } from '#domain/weather/climate/elements.js';
import { monthsAndYears } from '#domain/weather/climate/month-figures.js';
import type { Figure } from '#domain/weather/climate/validity.js';
import { daysOfYears, DEFAULT_RULE, yearsIn } from '../../../support/climate-days.js';
import { index } from '../../../support/climate-index.js';

const STATISTICS = ['mean', 'sum', 'days', 'highest', 'lowest'] as const;
const ELEMENTS = STATISTICS.map((statistic): Element => ({
  name: statistic,
  description: '',
  quantity: 'mean',
  statistic,
  threshold: 5,
}));
const FIRST = dateNumber('2011-01-01');
/** Values of the days of 2011 and 2012; NaN is a missing day. */
const values = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(Number.NaN) },
    { weight: 9, arbitrary: fc.integer({ min: -9, max: 9 }) },
  ),
  { minLength: 731, maxLength: 731 },
);

/** What the days of a period before `today` make. */
function expected(known: readonly number[], statistic: (typeof STATISTICS)[number], length: number) {
  const present = known.filter((value) => !Number.isNaN(value));
  const sum = present.reduce((total, value) => total + value, 0);
  const numbers = {
    mean: sum / present.length,
    sum,
    days: present.filter((value) => value >= 5).length,
    highest: Math.max(...present),
    lowest: Math.min(...present),
  };
  const value = present.length === 0 ? Number.NaN : numbers[statistic];
  return { value, days: present.length, missing: length - present.length };
}

describe('climate › a period that is not over', () => {
  it('is not valid, and has the numbers of its days before today; one that is over is as ever', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 731 }), (column, offset) => {
        const today = FIRST + offset;
        const days = daysOfYears(2011, 2012, { mean: (date) => column[dateNumber(date) - FIRST] as number });
        const elements = dailyElements(days, ELEMENTS);
        const [running, over] = [{ ...DEFAULT_RULE, today }, DEFAULT_RULE].map((terms) =>
          monthsAndYears(days.dates, yearsIn(days), elements, terms),
        );
        for (const section of ['months', 'years'] as const)
          for (const [row, { label, figures }] of (running?.[section] ?? []).entries()) {
            const dates = column
              .map((_value, day) => FIRST + day)
              .filter((day) => dateText(day).startsWith(label));
            const before = dates.filter((day) => day < today);
            for (const [at, found] of figures.entries()) {
              const statistic = STATISTICS[at] as (typeof STATISTICS)[number];
              if (before.length === dates.length) {
                expect(found).to.deep.equal(over?.[section][row]?.figures[at]);
                expect(found).not.to.have.property('soFar');
                continue;
              }
              expect(found, label).to.deep.include({ value: Number.NaN, valid: false });
              const known = before.map((day) => column[day - FIRST] as number);
              const { date, until, ...soFar } = found.soFar as NonNullable<Figure['soFar']>;
              expect(soFar, `${label} ${statistic}`).to.deep.equal(expected(known, statistic, before.length));
              expect(until).to.deep.equal(before.at(-1) ?? Number.NaN);
              if (statistic !== 'highest' && statistic !== 'lowest') expect(date).to.equal(undefined);
              else expect(date).to.deep.equal(before[known.indexOf(soFar.value)] ?? Number.NaN);
            }
          }
      }),
      { numRuns: 40 },
    );
  });

  it('has no index, however few of its days are missing', () => {
    for (const [frequency, label, last] of [
      ['month', '2013-07', '2013-07-31'],
      ['season', '2013-06', '2013-08-31'],
      ['year', '2013', '2013-12-31'],
    ] as const)
      for (const name of frequency === 'year' ? ['TXx', 'GSL'] : ['TXx']) {
        const next = dateText(dateNumber(last) + 1);
        for (const [today, valid] of [
          [last, false],
          [next, true],
        ] as const)
          expect(index(name, {}, { frequency, today }).get(label), `${name} ${label} ${today}`).to.include({
            valid,
          });
      }
    // The southern growing season of 2013 ends with June 2014.
    for (const [today, valid] of [
      ['2014-06-30', false],
      ['2014-07-01', true],
    ] as const) {
      const found = index('GSL', {}, { to: 2014, isNorthern: false, today }).get('2013');
      expect(found, today).to.include({ valid });
    }
  });
});
