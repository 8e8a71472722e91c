import { expect } from 'chai';
import fc from 'fast-check';
import { MILLISECONDS } from '../../../../src/domain/time.js';
import { type Frequency, INDICES } from '../../../../src/domain/weather/climate/indices/definitions.js';
import { indexFigures, indicesOf } from '../../../../src/domain/weather/climate/indices/index-figures.js';
import type { Figure } from '../../../../src/domain/weather/climate/validity.js';
import { type ByDate, datesIn, daysOfYears, without, yearsIn } from '../../../support/climate-days.js';

interface Given {
  readonly maximum?: ByDate;
  readonly minimum?: ByDate;
  readonly precipitation?: ByDate;
}

interface Asked {
  readonly from?: number;
  readonly to?: number;
  readonly frequency?: Frequency;
  readonly isNorthern?: boolean;
  readonly threshold?: number;
}

/** The figures of an index by period. Temperatures are 10 and 0 °C and days dry unless they are given. */
function index(
  name: string,
  { maximum = () => 10, minimum = () => 0, precipitation = () => 0 }: Given,
  { from = 2013, to = 2013, frequency = 'year', isNorthern = true, threshold = 1 }: Asked = {},
): Map<string, Figure> {
  const days = daysOfYears(from, to, { maximum, minimum, precipitation });
  const indices = indicesOf(frequency).filter((one) => one.name === name);
  expect(indices, name).to.have.length(1);
  const rows = indexFigures(days, yearsIn(days), indices, { frequency, isNorthern, threshold });
  return new Map(rows.map(({ label, figures: [figure] }) => [label, figure as Figure]));
}
const of2013 = (name: string, given: Given, threshold = 1) =>
  index(name, given, { threshold }).get('2013')?.value;

/** Values of some dates; the value of others. */
const on =
  (values: Readonly<Record<string, number>>, other: number): ByDate =>
  (date) =>
    values[date] ?? other;
const spell = (value: number, other: number, ...dates: readonly string[]): ByDate =>
  on(Object.fromEntries(dates.map((date) => [date, value])), other);

describe('climate › indices', () => {
  it('are the 19 of the ETCCDI without a base period', () => {
    expect(INDICES.map(({ name }) => name).join(' ')).to.equal(
      'FD SU ID TR GSL TXx TNx TXn TNn DTR Rx1day Rx5day SDII R10mm R20mm Rnnmm CDD CWD PRCPTOT',
    );
    for (const frequency of ['month', 'season'] as const)
      expect(
        indicesOf(frequency)
          .map(({ name }) => name)
          .join(' '),
      ).to.equal('TXx TNx TXn TNn DTR Rx1day Rx5day');
  });

  it('count days beyond a threshold, which itself counts only for amounts', () => {
    const temperatures = { '2013-01-05': -0.1, '2013-01-06': 0, '2013-01-07': 20, '2013-01-08': 20.1 };
    const maxima = { ...temperatures, '2013-07-01': 25, '2013-07-02': 25.1, '2013-07-03': 40 };
    const given = { minimum: on(temperatures, 5), maximum: on(maxima, 15) };
    expect(of2013('FD', given)).to.equal(1);
    expect(of2013('ID', given)).to.equal(1);
    expect(of2013('TR', given)).to.equal(1);
    expect(of2013('SU', given)).to.equal(2);
    const precipitation = on({ '2013-03-01': 9.9, '2013-03-02': 10, '2013-03-03': 20, '2013-03-04': 1 }, 0.9);
    expect(of2013('R10mm', { precipitation })).to.equal(2);
    expect(of2013('R20mm', { precipitation })).to.equal(1);
    expect(of2013('Rnnmm', { precipitation })).to.equal(4);
    expect(of2013('Rnnmm', { precipitation }, 9.9)).to.equal(3);
    expect(of2013('PRCPTOT', { precipitation })).to.be.closeTo(40.9, 1e-9);
    expect(of2013('SDII', { precipitation })).to.be.closeTo(40.9 / 4, 1e-9);
    expect(of2013('SDII', {})).to.equal(0);
  });

  it('are the extremes, the mean range and the largest amounts of years, seasons and months', () => {
    const given = {
      maximum: on({ '2013-07-18': 35, '2013-12-24': -3 }, 12),
      minimum: on({ '2013-07-18': 22, '2013-01-15': -12 }, 2),
      precipitation: on({ '2013-07-01': 30 }, 0.5),
    };
    const values = (name: string, frequency: Frequency, label: string) =>
      index(name, given, { frequency }).get(label)?.value;
    expect(['TXx', 'TXn', 'TNx', 'TNn', 'Rx1day'].map((name) => values(name, 'year', '2013'))).to.deep.equal([
      35, -3, 22, -12, 30,
    ]);
    expect(values('TXx', 'month', '2013-07')).to.equal(35);
    expect(values('TXx', 'month', '2013-08')).to.equal(12);
    expect(values('TNx', 'season', '2013-06')).to.equal(22);
    expect(values('DTR', 'month', '2013-07')).to.be.closeTo((30 * 10 + 13) / 31, 1e-9);
  });

  it('have seasons from December on; those at the ends have not all of their months', () => {
    const winters = index(
      'TXx',
      { maximum: (date) => Number(date.slice(5, 7)) },
      { to: 2014, frequency: 'season' },
    );
    expect([...winters.keys()].join(' ')).to.equal(
      '2012-12 2013-03 2013-06 2013-09 2013-12 2014-03 2014-06 2014-09 2014-12',
    );
    expect([...winters.values()].map(({ valid }) => valid)).to.deep.equal([
      false,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(winters.get('2013-12')?.value).to.equal(12);
  });

  it('add up five days around the third, with missing days as dry ones', () => {
    const amounts = { '2013-06-29': 1, '2013-06-30': 2, '2013-07-01': 4, '2013-07-02': 8, '2013-07-03': 16 };
    const five = (precipitation: ByDate, label: string) =>
      index('Rx5day', { precipitation }, { frequency: 'month' }).get(label)?.value;
    expect(five(on(amounts, 0), '2013-06')).to.equal(15);
    expect(five(on(amounts, 0), '2013-07')).to.equal(31);
    expect(five(without(on(amounts, 0), '2013-07-02'), '2013-07')).to.equal(23);
    // The two days at each end of all data are the third of no five.
    expect(five(on({ '2013-01-01': 50 }, 0), '2013-01')).to.equal(50);
    expect(five(on({ '2013-12-31': 50 }, 0), '2013-12')).to.equal(50);
    expect(five(on({ '2013-08-31': 50 }, 0), '2013-09')).to.equal(50);
  });

  describe('are void', () => {
    // A day in each of the months, so that no month has more than two.
    const scattered = (count: number) =>
      Array.from({ length: count }, (_, day) => {
        const month = String((day % 12) + 1).padStart(2, '0');
        return `2013-${month}-${day < 12 ? '05' : '20'}`;
      });
    const cases: readonly [
      what: string,
      frequency: Frequency,
      label: string,
      missing: string[],
      holds: boolean,
    ][] = [
      ['not with 3 missing days of a month', 'month', '2013-07', datesIn('2013-07', 4, 3), true],
      ['with 4 missing days of a month', 'month', '2013-07', datesIn('2013-07', 4, 4), false],
      ['not with 15 missing days of a year', 'year', '2013', scattered(15), true],
      ['with 16 missing days of a year', 'year', '2013', scattered(16), false],
      ['of a year with a void month', 'year', '2013', datesIn('2013-07', 4, 4), false],
      [
        'not with 6 missing days of a season',
        'season',
        '2013-06',
        [...datesIn('2013-06', 1, 3), ...datesIn('2013-07', 1, 3)],
        true,
      ],
      [
        'with 7 missing days of a season',
        'season',
        '2013-06',
        [...datesIn('2013-06', 1, 3), ...datesIn('2013-07', 1, 3), '2013-08-01'],
        false,
      ],
      ['of a season with a void month', 'season', '2013-06', datesIn('2013-07', 4, 4), false],
    ];
    for (const [what, frequency, label, missing, holds] of cases) {
      it(what, () => {
        for (const { name, quantity } of indicesOf(frequency)) {
          const given =
            quantity === 'precipitation'
              ? { precipitation: without((date) => dayParity(date), ...missing) }
              : { maximum: without(() => 10, ...missing), minimum: without(() => 0, ...missing) };
          const found = index(name, given, { frequency }).get(label);
          expect(found, name).to.include({ valid: holds, missing: missing.length });
        }
      });
    }

    it('by the quantity that they use: a missing maximum voids the range and no frost day', () => {
      const maximum = without(() => 10, ...datesIn('2013-07', 4, 4));
      const valid = ['FD', 'SU', 'DTR', 'GSL', 'CDD'].map(
        (name) => index(name, { maximum, precipitation: dayParity }).get('2013')?.valid,
      );
      expect(valid).to.deep.equal([true, false, false, false, true]);
    });
  });

  describe('CDD and CWD', () => {
    it('count a spell over the end of the year where it ends, with all of its days', () => {
      const wetUntil: ByDate = (date) => (date < '2013-12-20' || date > '2014-01-10' ? 5 : 0);
      const dry = index('CDD', { precipitation: wetUntil }, { to: 2014 });
      expect([dry.get('2013')?.value, dry.get('2014')?.value]).to.deep.equal([0, 22]);
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

    it('is not ended by 5 cold days, and a missing day breaks a run', () => {
      const cold = spell(3, 12, ...datesIn('2013-09', 1, 5));
      expect(season(cold).get('2013')?.value).to.equal(365);
      const six = spell(3, 12, ...datesIn('2013-09', 1, 6));
      expect(season(six).get('2013')?.value).to.equal(243);
      expect(season(without(six, '2013-09-03')).get('2013')?.value).to.equal(365);
    });

    it('is from July to June in the south, where the last year has none', () => {
      const warm = between('2013-10-01', '2014-04-15');
      const found = season(warm, false, 2014);
      // October 1 to April 15: 31 + 30 + 31 + 31 + 28 + 31 + 15 days.
      expect(found.get('2013')).to.include({ value: 197, rule: 'climdex_southern_season', missing: 0 });
      expect(found.get('2014')).to.include({ valid: false });
      const gaps = season(without(warm, ...datesIn('2013-11', 1, 15)), false, 2014);
      expect(gaps.get('2013')).to.include({ valid: true, missing: 15 });
      const many = season(without(warm, ...datesIn('2013-11', 1, 16)), false, 2014);
      expect(many.get('2013')).to.include({ valid: false, missing: 16 });
    });
  });
});

/** Wet and dry days in turn. */
function dayParity(date: string): number {
  return Number(date.slice(8)) % 2 === 0 ? 5 : 0;
}

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
