import { expect } from 'chai';
import { dailyDegreeDays, DEGREE_DAYS } from '#domain/weather/climate/degree-days.js';
import { monthsAndYears } from '#domain/weather/climate/month-figures.js';
import { type DayMean, DEFAULT_BASES } from '#domain/weather/summaries/of-days.js';
import {
  type ByDate,
  daysOfYears,
  DEFAULT_RULE,
  removeDays,
  yearsIn,
} from '../../../support/climate-days.js';

function ofJanuary(
  { maximum, minimum, mean }: Readonly<Record<'maximum' | 'minimum' | 'mean', ByDate>>,
  quantity: DayMean,
  bases = DEFAULT_BASES,
) {
  const days = daysOfYears(2013, 2013, { maximum, minimum, mean });
  const elements = dailyDegreeDays(days, quantity, bases);
  const { months, years } = monthsAndYears(days.dates, yearsIn(days), elements, DEFAULT_RULE);
  const values = (figures: readonly { readonly value: number }[]) => figures.map(({ value }) => value);
  return { january: values(months[0]?.figures ?? []), year: values(years[0]?.figures ?? []) };
}

const constant = (maximum: number, minimum: number, mean: number) => ({
  maximum: () => maximum,
  minimum: () => minimum,
  mean: () => mean,
});

describe('climate › degree days', () => {
  it('are sums of the degrees beyond the base, of (maximum + minimum) / 2 or of the mean', () => {
    expect(DEGREE_DAYS.map(({ name }) => name)).to.deep.equal(['heating', 'cooling', 'growing']);
    const bases = { heating: 18, cooling: 18, growing: 10 };
    expect(ofJanuary(constant(20, 4, 9), 'midrange', bases).january).to.deep.equal([31 * 6, 0, 31 * 2]);
    expect(ofJanuary(constant(20, 4, 9), 'mean', bases).january).to.deep.equal([31 * 9, 0, 0]);
    expect(ofJanuary(constant(30, 20, 23), 'midrange', bases).year).to.deep.equal([0, 365 * 7, 365 * 15]);
  });

  it('have the base 65 °F for heating and cooling, and 50 °F for growing', () => {
    const fahrenheit = (value: number) => value * 1.8 + 32;
    expect(fahrenheit(DEFAULT_BASES.heating)).to.equal(65);
    expect(fahrenheit(DEFAULT_BASES.cooling)).to.equal(65);
    expect(fahrenheit(DEFAULT_BASES.growing)).to.equal(50);
    // 33 and 17 °F: the mean is 25, 40 below the base.
    const [heating = 0] = ofJanuary(constant((33 - 32) / 1.8, (17 - 32) / 1.8, 0), 'midrange').january;
    expect(heating * 1.8).to.be.closeTo(31 * 40, 1e-9);
  });

  it('are added day by day: a warm day does not make up for a cold one', () => {
    const alternating: ByDate = (date) => (Number(date.slice(8)) % 2 === 0 ? 28 : 8);
    const given = { maximum: alternating, minimum: alternating, mean: alternating };
    const bases = { heating: 18, cooling: 18, growing: 10 };
    expect(ofJanuary(given, 'midrange', bases).january).to.deep.equal([160, 150, 270]);
  });

  it('need every day', () => {
    const minimum = removeDays(() => 0, '2013-01-17');
    const { january, year } = ofJanuary({ ...constant(10, 0, 5), minimum }, 'midrange');
    expect([...january, ...year].every(Number.isNaN)).to.equal(true);
    expect(ofJanuary({ ...constant(10, 0, 5), minimum }, 'mean').january[0]).to.be.closeTo(
      31 * (40 / 3),
      1e-9,
    );
  });
});
