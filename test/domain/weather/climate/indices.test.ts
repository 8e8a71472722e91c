import { expect } from 'chai';
import { type Frequency, INDICES } from '#domain/weather/climate/indices/definitions.js';
import { indicesOf } from '#domain/weather/climate/indices/index-figures.js';
import { type ByDate, datesIn, removeDays } from '../../../support/climate-days.js';
import { dayParity, index, of2013, valuesOn } from '../../../support/climate-index.js';

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
    const given = { minimum: valuesOn(temperatures, 5), maximum: valuesOn(maxima, 15) };
    expect(of2013('FD', given)).to.equal(1);
    expect(of2013('ID', given)).to.equal(1);
    expect(of2013('TR', given)).to.equal(1);
    expect(of2013('SU', given)).to.equal(2);
    const precipitation = valuesOn(
      { '2013-03-01': 9.9, '2013-03-02': 10, '2013-03-03': 20, '2013-03-04': 1 },
      0.9,
    );
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
      maximum: valuesOn({ '2013-07-18': 35, '2013-12-24': -3 }, 12),
      minimum: valuesOn({ '2013-07-18': 22, '2013-01-15': -12 }, 2),
      precipitation: valuesOn({ '2013-07-01': 30 }, 0.5),
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
    expect(five(valuesOn(amounts, 0), '2013-06')).to.equal(15);
    expect(five(valuesOn(amounts, 0), '2013-07')).to.equal(31);
    expect(five(removeDays(valuesOn(amounts, 0), '2013-07-02'), '2013-07')).to.equal(23);
    // The two days at each end of all data are the third of no five.
    expect(five(valuesOn({ '2013-01-01': 50 }, 0), '2013-01')).to.equal(50);
    expect(five(valuesOn({ '2013-12-31': 50 }, 0), '2013-12')).to.equal(50);
    expect(five(valuesOn({ '2013-08-31': 50 }, 0), '2013-09')).to.equal(50);
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
              ? { precipitation: removeDays((date) => dayParity(date), ...missing) }
              : { maximum: removeDays(() => 10, ...missing), minimum: removeDays(() => 0, ...missing) };
          const found = index(name, given, { frequency }).get(label);
          expect(found, name).to.include({ valid: holds, missing: missing.length });
        }
      });
    }

    it('by the quantity that they use: a missing maximum voids the range and no frost day', () => {
      const maximum = removeDays(() => 10, ...datesIn('2013-07', 4, 4));
      const valid = ['FD', 'SU', 'DTR', 'GSL', 'CDD'].map(
        (name) => index(name, { maximum, precipitation: dayParity }).get('2013')?.valid,
      );
      expect(valid).to.deep.equal([true, false, false, false, true]);
    });
  });
});
