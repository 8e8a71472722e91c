import { expect } from 'chai';
import { dateText } from '#domain/weather/climate/climate-days.js';
import { anomaliesOf, anomalyElements } from '#domain/weather/climate/anomalies.js';
import { dailyElements, type Element, ELEMENTS as ALL_ELEMENTS } from '#domain/weather/climate/elements.js';
import { monthsAndYears } from '#domain/weather/climate/month-figures.js';
import { normalsOf, type YearSpan } from '#domain/weather/climate/normals.js';
import { monthsOf } from '#domain/weather/climate/calendar-rows.js';
import { recordsOf, RECORDS } from '#domain/weather/climate/records.js';
import { ClimateDays } from '#domain/weather/climate/climate-days.js';
import { yearsNeeded } from '#domain/weather/climate/validity.js';
import {
  type ByDate,
  datesIn,
  daysOfYears,
  DEFAULT_RULE,
  removeDays,
  yearsIn,
} from '../../../support/climate-days.js';

const ELEMENTS: readonly Element[] = [
  { name: 'mean', description: '', quantity: 'mean', statistic: 'mean' },
  { name: 'sum', description: '', quantity: 'precipitation', statistic: 'sum' },
];
const yearOf: ByDate = (date) => Number(date.slice(0, 4));

function normals(period: YearSpan, mean: ByDate, precipitation: ByDate = () => 1, from = 1985, to = 2025) {
  const days = daysOfYears(from, to, { mean, precipitation });
  const { months } = monthsAndYears(days.dates, yearsIn(days), dailyElements(days, ELEMENTS), DEFAULT_RULE);
  const { months: rows, year } = normalsOf(
    period,
    ELEMENTS.map(({ statistic }) => statistic),
    months,
  );
  return { july: rows[6]?.figures ?? [], february: rows[1]?.figures ?? [], year: year.figures };
}

describe('climate › normals', () => {
  const standard = { from: 1991, to: 2020 };
  const yearsWithoutJuly = (count: number) =>
    Array.from({ length: count }, (_, index) => `${1993 + index}-07`);

  it('name each month by two digits', () => {
    const days = daysOfYears(1991, 2000, { mean: yearOf, precipitation: () => 1 });
    const { months } = monthsAndYears(days.dates, yearsIn(days), dailyElements(days, ELEMENTS), DEFAULT_RULE);
    const { months: rows, year } = normalsOf({ from: 1991, to: 2000 }, ['mean', 'sum'], months);
    const labels = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'];
    expect(rows.map(({ label }) => label)).to.deep.equal(labels);
    expect(year.label).to.equal('year');
  });

  it('are averages over the years of the period alone', () => {
    const { july, year } = normals(standard, yearOf);
    expect(july[0]).to.deep.include({ value: 2005.5, years: 30, missingYears: 0, days: 930, missing: 0 });
    expect(july[1]?.value).to.equal(31);
    expect(year[0]).to.include({ value: 2005.5, rule: 'every_month', valid: true });
    // Of February, 7 or 8 of 30 years have 29 days.
    expect(normals(standard, yearOf).february[1]?.value).to.equal(28 + 8 / 30);
    expect(year[1]?.value).to.be.closeTo(365 + 8 / 30, 1e-9);
  });

  it('need 24 of 30 years: the other years count as they are', () => {
    const enough = normals(standard, removeDays(yearOf, ...yearsWithoutJuly(6)));
    expect(enough.july[0]).to.include({ years: 24, missingYears: 6, days: 744, missing: 186, valid: true });
    expect(enough.july[0]?.value).to.be.closeTo((2005.5 * 30 - (1993 + 1998) * 3) / 24, 1e-9);
    const tooFew = normals(standard, removeDays(yearOf, ...yearsWithoutJuly(7)));
    expect(tooFew.july[0]).to.include({ years: 23, missingYears: 7, valid: false });
    expect(tooFew.july[0]?.value).to.deep.equal(Number.NaN);
    expect(tooFew.february[0]?.valid).to.equal(true);
    expect(tooFew.year[0]?.valid).to.equal(false);
    expect(tooFew.year[1]?.valid).to.equal(true);
  });

  it('count years that the station does not have as missing', () => {
    const { july } = normals(standard, yearOf, undefined, 2000, 2025);
    expect(july[0]).to.include({ years: 21, missingYears: 9, days: 651, missing: 279, valid: false });
  });

  it('need 80 % of the years of any period', () => {
    expect([10, 11, 20, 29, 30].map(yearsNeeded)).to.deep.equal([8, 9, 16, 24, 24]);
    const decade = { from: 1991, to: 2000 };
    expect(normals(decade, removeDays(yearOf, ...yearsWithoutJuly(2))).july[0]).to.include({ valid: true });
    expect(normals(decade, removeDays(yearOf, ...yearsWithoutJuly(3))).july[0]).to.include({ valid: false });
  });
});

describe('climate › anomalies', () => {
  const [temperature, rain, frost] = ['mean_temperature', 'precipitation', 'frost_days'].map((name) =>
    ALL_ELEMENTS.find((element) => element.name === name),
  ) as [Element, Element, Element];
  const elements = [temperature, rain, frost];

  /** The anomalies of the years from 1990 to 2022 with the normals of 1991 to 2020. */
  function anomalies(mean: ByDate, precipitation: ByDate, minimum: ByDate) {
    const days = daysOfYears(1990, 2022, { mean, precipitation, minimum });
    const { months, years } = monthsAndYears(
      days.dates,
      yearsIn(days),
      dailyElements(days, elements),
      DEFAULT_RULE,
    );
    const averages = normalsOf(
      { from: 1991, to: 2020 },
      elements.map(({ statistic }) => statistic),
      months,
    );
    const rows = [...months, ...years];
    const found = anomaliesOf(anomalyElements(elements), rows, averages);
    return (label: string) => found.find((row) => row.label === label)?.figures ?? [];
  }
  const isCold: ByDate = (date) => (date.startsWith('2022-07') ? -1 : 1);

  it('are differences of means and of numbers of days, and percentages of sums', () => {
    const of = anomalies(yearOf, (date) => (date.startsWith('2022-07') ? 3 : 2), isCold);
    const [mean, sum, days] = of('2022-07');
    expect(mean).to.include({ value: 2022 - 2005.5, rule: 'anomaly', valid: true, years: 30, days: 31 });
    expect(sum).to.include({ value: 150, valid: true });
    expect(days).to.include({ value: 31, valid: true });
    expect(of('1990-07')[0]?.value).to.equal(1990 - 2005.5);
    const [ofYear, sumOfYear, daysOfYear] = of('2022');
    expect([ofYear?.value, daysOfYear?.value]).to.deep.equal([2022 - 2005.5, 31]);
    expect(sumOfYear?.value).to.be.closeTo((100 * (2 * 365 + 31)) / (2 * (365 + 8 / 30)), 1e-9);
  });

  it('are not valid without a valid number, without a valid normal, and in percent of 0', () => {
    const without = Array.from({ length: 7 }, (_, index) => `${1993 + index}-08`);
    const of = anomalies(
      removeDays(yearOf, '2022-07'),
      removeDays(() => 0, ...without),
      isCold,
    );
    expect(of('2022-07')[0]).to.deep.include({ value: Number.NaN, valid: false, missing: 31 });
    expect(of('2022-08')[0]).to.include({ valid: true });
    expect(of('2022-07')[1]).to.deep.include({ value: Number.NaN, valid: false });
    expect(of('2022-08')[1]).to.deep.include({ value: Number.NaN, valid: false, years: 23, missingYears: 7 });
    expect(of('2022')[0]).to.include({ valid: false });
  });

  it('have the unit of a difference or percent, and say what they are', () => {
    const [difference, percentage, days] = anomalyElements(elements);
    expect(difference).to.include({ variable: 'air_temperature', isDifference: true });
    expect(difference?.description).to.equal('mean of the daily means of all values, minus the normal');
    expect(percentage).to.include({ unit: '%' }).and.not.to.have.property('variable');
    expect(percentage?.description).to.equal('sum of all amounts, in percent of the normal');
    expect(days).not.to.have.any.keys('unit', 'variable');
  });
});

describe('climate › records', () => {
  const name = (row: number) => RECORDS[row]?.name;
  const quantities = (values: ByDate) => ({
    maximum: values,
    minimum: values,
    precipitation: values,
    gust: values,
    highestPressure: values,
    lowestPressure: values,
  });

  it('are of each month of the year and of all time, the first day of several', () => {
    const values: ByDate = (date) =>
      ({ '2012-07-10': 30, '2013-07-05': 30, '2014-01-01': 31, '2013-07-20': -5 })[date] ?? 1;
    const days = daysOfYears(2012, 2014, quantities(removeDays(values, '2012-0', '2014-12')));
    const rows = recordsOf(days, monthsOf(days.dates), RECORDS);
    const [july, all] = [rows[6], rows.at(-1)];
    expect([name(0), name(1)]).to.deep.equal(['highest_temperature', 'lowest_temperature']);
    const shown = (row: typeof july, index: number) => {
      const { value = 0, date = 0, first = 0, last = 0, days: count = 0 } = row?.records[index] ?? {};
      return [value, dateText(date), dateText(first), dateText(last), count];
    };
    expect(rows.map(({ label }) => label)).to.deep.equal([
      '01',
      '02',
      '03',
      '04',
      '05',
      '06',
      '07',
      '08',
      '09',
      '10',
      '11',
      '12',
      'all',
    ]);
    expect(shown(july, 0)).to.deep.equal([30, '2013-07-05', '2013-07-01', '2014-07-31', 62]);
    expect(shown(july, 1)).to.deep.equal([-5, '2013-07-20', '2013-07-01', '2014-07-31', 62]);
    expect(shown(all, 0)).to.deep.equal([31, '2014-01-01', '2012-10-01', '2014-11-30', 92 + 365 + 334]);
  });

  it('name the other days with the same value, in order, at most ten of them, and count all', () => {
    const equal = ['2013-02-03', '2013-07-05', '2013-07-20', '2014-07-01'];
    const values: ByDate = (date) => (equal.includes(date) ? 30 : date === '2013-01-01' ? 29 : 1);
    const days = daysOfYears(2013, 2014, quantities(values));
    const rows = recordsOf(days, monthsOf(days.dates), RECORDS);
    const shown = (row: number, element: number) => {
      const { date = 0, ties = [], tieCount } = rows[row]?.records[element] ?? {};
      return [dateText(date), ties.map(dateText), tieCount];
    };
    expect(shown(12, 0)).to.deep.equal(['2013-02-03', equal.slice(1), 3]);
    expect(shown(6, 0)).to.deep.equal(['2013-07-05', equal.slice(2), 2]);
    // The lowest temperature is 1 °C on all days but five.
    expect(shown(12, 1)).to.deep.equal(['2013-01-02', datesIn('2013-01', 3, 10), 730 - 5 - 1]);
  });

  it('take the highest minimum and the lowest maximum from complete days alone', () => {
    const days = daysOfYears(
      2013,
      2013,
      quantities((date) => (date === '2013-07-18' ? 40 : 10)),
    );
    const part = (quantity: 'maximum' | 'minimum', value: number) => {
      const column = days.column(quantity);
      const values = column.values.map((one, row) => (row === 5 ? value : one));
      const complete = column.complete.map((one, row) => (row === 5 ? 0 : one));
      return [quantity, { ...column, values, complete }] as const;
    };
    // An hour of the sixth of January, at -20 and at 50 °C.
    const others = (['precipitation', 'gust', 'highestPressure', 'lowestPressure'] as const).map(
      (quantity) => [quantity, days.column(quantity)] as const,
    );
    const table = new ClimateDays(
      days.dates,
      new Map([part('maximum', -20), part('minimum', 50), ...others]),
    );
    const all = recordsOf(table, monthsOf(table.dates), RECORDS).at(-1)?.records ?? [];
    expect(RECORDS.slice(2, 4).map((record) => record.name)).to.deep.equal([
      'highest_daily_minimum',
      'lowest_daily_maximum',
    ]);
    expect(all.slice(2, 4).map(({ value, days: count }) => [value, count])).to.deep.equal([
      [40, 364],
      [10, 364],
    ]);
  });

  it('are NaN, of no day, where a month has no data', () => {
    const days = daysOfYears(2013, 2013, quantities(removeDays(() => 1, '2013-02')));
    const february = recordsOf(days, monthsOf(days.dates), RECORDS)[1]?.records[0];
    expect(february).to.deep.equal({
      value: Number.NaN,
      date: Number.NaN,
      ties: [],
      tieCount: 0,
      time: Number.NaN,
      first: Number.NaN,
      last: Number.NaN,
      days: 0,
    });
  });
});
