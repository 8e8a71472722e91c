import { expect } from 'chai';
import fc from 'fast-check';
import { monthsOf } from '#domain/weather/climate/calendar-rows.js';
import {
  ClimateDays,
  dateNumber,
  dateText,
  withAmounts,
  withPublished,
} from '#domain/weather/climate/climate-days.js';
import { droughtMonths } from '#domain/weather/climate/drought/drought.js';
import { dailyElements, ELEMENTS } from '#domain/weather/climate/elements.js';
import { indexFigures } from '#domain/weather/climate/indices/index-figures.js';
import { INDICES } from '#domain/weather/climate/indices/definitions.js';
import { monthsAndYears } from '#domain/weather/climate/month-figures.js';
import { RECORDS, recordsOf } from '#domain/weather/climate/records.js';
import { type AmountOfDays, AmountsOfDays } from '#domain/weather/climate/several-days.js';
import { type Streak, STREAKS, streaksOf } from '#domain/weather/climate/streaks.js';
import { daysOfYears, yearsIn } from '../../../support/climate-days.js';

const TERMS = { rule: 'wmo_1203', today: Infinity } as const;
const RAIN = ELEMENTS.filter(({ quantity }) => quantity === 'precipitation');

type DatedAmount = readonly [first: string, last: string, amount: number];

/** A year in which it rains 2 mm each day, with amounts of several days. The days of an amount have no value of their own. */
function rainOf2013(amounts: readonly DatedAmount[], isUnknown = (_date: string) => false): ClimateDays {
  const isIn = (date: string) => amounts.some(([first, last]) => date >= first && date <= last);
  const days = daysOfYears(2013, 2013, {
    precipitation: (date) => (isIn(date) || isUnknown(date) ? Number.NaN : 2),
  });
  return withGiven(days, amounts);
}

function withGiven(days: ClimateDays, amounts: readonly DatedAmount[]): ClimateDays {
  const found = amounts.map(([first, last, amount]): AmountOfDays => ({
    first: dateNumber(first),
    last: dateNumber(last),
    amount,
  }));
  const published = withPublished(new ClimateDays(days.dates, new Map()), days);
  return withAmounts(published, new Map([['precipitation', new AmountsOfDays(days.dates, found)]]));
}

function figuresOf(days: ClimateDays, label: string, today = Infinity) {
  const { months, years } = monthsAndYears(days.dates, yearsIn(days), dailyElements(days, RAIN), {
    ...TERMS,
    today,
  });
  const row = [...months, ...years].find((one) => one.label === label);
  return Object.fromEntries(RAIN.map(({ name }, index) => [name, row?.figures[index]]));
}

describe('amounts of several days', () => {
  for (const { name, amounts, label, sum, others } of [
    {
      name: 'count in the sum of the month that has all their days, and on none of these days',
      amounts: [['2013-07-05', '2013-07-07', 30]],
      label: '2013-07',
      sum: { value: 28 * 2 + 30, days: 31, missing: 0, valid: true, multidayDays: 3 },
      others: { value: Number.NaN, days: 28, missing: 3, valid: false, multidayDays: 3 },
    },
    {
      name: 'count with their last day on the last day of a month',
      amounts: [['2013-07-30', '2013-07-31', 30]],
      label: '2013-07',
      sum: { value: 29 * 2 + 30, days: 31, missing: 0, valid: true, multidayDays: 2 },
      others: { days: 29, missing: 2, valid: false },
    },
    {
      name: 'are in no sum of a month if a day is in the next month',
      amounts: [['2013-07-30', '2013-08-01', 30]],
      label: '2013-07',
      sum: { value: Number.NaN, days: 29, missing: 2, valid: false, splitDays: 2 },
      others: { days: 29, missing: 2, valid: false, multidayDays: 2 },
    },
    {
      name: 'are in no sum of the month in which they end if they begin before it',
      amounts: [['2013-07-30', '2013-08-01', 30]],
      label: '2013-08',
      sum: { value: Number.NaN, days: 30, missing: 1, valid: false, splitDays: 1 },
      others: { days: 30, missing: 1, valid: false, multidayDays: 1 },
    },
    {
      name: 'are in the sum of the year although their days are in two months',
      amounts: [['2013-07-30', '2013-08-01', 30]],
      label: '2013',
      sum: { value: 362 * 2 + 30, days: 365, missing: 0, valid: true, multidayDays: 3 },
      others: { days: 362, missing: 3, valid: false },
    },
    {
      name: 'are in no sum of a year if they begin in the year before',
      amounts: [['2012-12-30', '2013-01-02', 30]],
      label: '2013',
      sum: { value: Number.NaN, days: 363, missing: 2, valid: false, splitDays: 2 },
      others: { days: 363, missing: 2, valid: false },
    },
    {
      name: 'are in no sum of a year if they end in the next year, and are named',
      amounts: [['2013-12-31', '2014-01-01', 30]],
      label: '2013-12',
      sum: { value: Number.NaN, days: 30, missing: 1, valid: false, splitDays: 1 },
      others: { days: 30, missing: 1, valid: false },
    },
    {
      name: 'may follow each other',
      amounts: [
        ['2013-07-05', '2013-07-07', 30],
        ['2013-07-08', '2013-07-10', 0],
      ],
      label: '2013-07',
      sum: { value: 25 * 2 + 30, days: 31, missing: 0, valid: true, multidayDays: 6 },
      others: { days: 25, missing: 6, valid: false },
    },
    {
      name: 'of the same day are both in the sum, because both have been measured',
      amounts: [
        ['2013-07-05', '2013-07-07', 30],
        ['2013-07-07', '2013-07-09', 10],
      ],
      label: '2013-07',
      sum: { value: 26 * 2 + 40, days: 31, missing: 0, valid: true, multidayDays: 5 },
      others: { days: 26, missing: 5, valid: false },
    },
    {
      name: 'change no other month',
      amounts: [['2013-07-05', '2013-07-07', 30]],
      label: '2013-08',
      sum: { value: 62, days: 31, missing: 0, valid: true },
      others: { days: 31, missing: 0, valid: true },
    },
  ] satisfies {
    name: string;
    amounts: DatedAmount[];
    label: string;
    sum: object;
    others: object;
  }[])
    it(name, () => {
      const { precipitation, ...counts } = figuresOf(rainOf2013(amounts), label);
      expect(precipitation).to.deep.equal({
        rule: label === '2013' ? 'every_month' : 'every_day',
        ...sum,
      });
      expect(Object.keys(counts)).to.deep.equal(['wet_days', 'greatest_daily_precipitation']);
      for (const [element, figure] of Object.entries(counts)) expect(figure, element).to.deep.include(others);
    });

  it('leave other missing days missing', () => {
    const days = rainOf2013([['2013-07-05', '2013-07-07', 30]], (date) => date === '2013-07-20');
    expect(figuresOf(days, '2013-07')['precipitation']).to.include({ days: 30, missing: 1, valid: false });
  });

  it('replace in a sum what a day of theirs has, because they are the amount of all their days', () => {
    const days = withGiven(daysOfYears(2013, 2013, { precipitation: () => 2 }), [
      ['2013-07-05', '2013-07-07', 30],
    ]);
    const { precipitation, wet_days: wet } = figuresOf(days, '2013-07');
    expect(precipitation).to.include({ value: 28 * 2 + 30, valid: true });
    expect(wet).to.include({ value: 31, days: 31, valid: true });
  });

  it('leave a month to the amounts of its days if they are known and the other days are in another month', () => {
    const days = withGiven(daysOfYears(2013, 2013, { precipitation: () => 2 }), [
      ['2013-07-30', '2013-08-01', 30],
    ]);
    expect(figuresOf(days, '2013-07')['precipitation']).to.include({ value: 62, missing: 0, valid: true });
  });

  it('count in the number so far of a running month', () => {
    const days = rainOf2013([['2013-07-05', '2013-07-07', 30]]);
    const { soFar } = figuresOf(days, '2013-07', dateNumber('2013-07-11'))['precipitation'] ?? {};
    expect(soFar).to.include({ value: 7 * 2 + 30, days: 10, missing: 0 });
  });

  it('are no record and no run of dry or wet days, and are missing for indices', () => {
    const days = rainOf2013([['2013-07-05', '2013-07-07', 300]]);
    const rain = RECORDS.filter(({ quantity }) => quantity === 'precipitation');
    const [record] = recordsOf(days, monthsOf(days.dates), rain).at(-1)?.records ?? [];
    expect(record).to.include({ value: 2, days: 362 });
    const wet = STREAKS.filter(({ name }) => name === 'wet_days');
    const [run] = streaksOf(days, wet) as [Streak];
    expect([run.days, dateText(run.from), run.mayBeLonger]).to.deep.equal([185, '2013-01-01', true]);
    const total = INDICES.filter(({ name }) => name === 'PRCPTOT');
    const input = { frequency: 'year', isNorthern: true, threshold: 1, today: Infinity } as const;
    const [year] = indexFigures(days, yearsIn(days), total, input);
    expect(year?.figures[0]).to.include({ value: 724, days: 362, missing: 3, multidayDays: 3 });
  });

  it('are in the sums of the indices of drought', () => {
    const days = rainOf2013([
      ['2013-07-05', '2013-07-07', 30],
      ['2013-09-30', '2013-10-01', 8],
    ]);
    const input = { index: 'spi', scale: 1, site: { latitude: 50, longitude: 8 }, today: Infinity } as const;
    const rows = droughtMonths(days, input);
    const sum = (label: string) => rows.find((row) => row.label === label)?.figures[1];
    expect(sum('2013-07')).to.include({ value: 28 * 2 + 30, missing: 0, valid: true, multidayDays: 3 });
    expect(sum('2013-09')).to.include({ missing: 1, valid: false, splitDays: 1 });
  });

  it('are in one sum of a month or in none, and a sum is valid if each day is known alone or in an amount of the period', () => {
    const span = fc.record({ gap: fc.integer({ min: 0, max: 40 }), length: fc.integer({ min: 2, max: 12 }) });
    fc.assert(
      fc.property(
        fc.array(span, { maxLength: 30 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 364 }), { maxLength: 3 }),
        (spans, unknown) => {
          const start = dateNumber('2013-01-01');
          const amounts: [number, number, number][] = [];
          let next = start - 5;
          for (const [index, { gap, length }] of spans.entries()) {
            const first = next + gap;
            next = first + length;
            if (next - 1 >= start && first <= start + 364) amounts.push([first, next - 1, 2 ** (index % 10)]);
          }
          const texts = amounts.map(([first, last, amount]): DatedAmount => [
            dateText(first),
            dateText(last),
            amount,
          ]);
          const missing = new Set(unknown.map((day) => dateText(start + day)));
          const days = rainOf2013(texts, (date) => missing.has(date));
          for (const label of [
            '2013',
            ...monthsOf(days.dates).map(({ from }) => dateText(start + from).slice(0, 7)),
          ]) {
            const dates = Array.from(days.dates, dateText).filter((date) => date.startsWith(label));
            const isInPeriod = ([first, last]: DatedAmount) =>
              first.startsWith(label) && last.startsWith(label);
            const inside = texts.filter(isInPeriod);
            const isIn = (date: string, some: readonly DatedAmount[]) =>
              some.some(([first, last]) => date >= first && date <= last);
            const alone = dates.filter((date) => !isIn(date, texts) && !missing.has(date));
            const known = dates.filter((date) => alone.includes(date) || isIn(date, inside));
            const figures = figuresOf(days, label);
            expect(figures['precipitation'], label).to.deep.include({
              days: known.length,
              missing: dates.length - known.length,
              valid: known.length === dates.length,
              value:
                known.length === dates.length
                  ? alone.length * 2 + inside.reduce((sum, [, , amount]) => sum + amount, 0)
                  : Number.NaN,
            });
            expect(figures['wet_days'], label).to.include({
              days: alone.length,
              missing: dates.length - alone.length,
            });
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
