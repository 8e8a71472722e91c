import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Frequency } from '#domain/weather/climate/indices/definitions.js';
import { indexFigures, indicesOf } from '#domain/weather/climate/indices/index-figures.js';
import { percentileIndices } from '#domain/weather/climate/indices/percentile-indices.js';
import type { Figure } from '#domain/weather/climate/validity.js';
import { type ByDate, daysOfYears, removeDays, yearsIn } from '../../../support/climate-days.js';
import { madeClimate } from '../../../support/made-climate.js';

const BASE = { from: 1981, to: 1992 };

/** Figures by index and label, such as `TX90p 1984-12`. */
function figuresOf(days = madeClimate(1979, 2000), frequency: Frequency = 'year', base = BASE) {
  const indices = indicesOf(frequency, percentileIndices(base));
  const input = { frequency, isNorthern: true, threshold: 1, today: Infinity };
  const rows = indexFigures(days, yearsIn(days), indices, input);
  return new Map<string, Figure>(
    rows.flatMap(({ label, figures }) =>
      figures.map((figure, index) => [`${indices[index]?.name} ${label}`, figure] as const),
    ),
  );
}

describe('climate › indices of percentiles', () => {
  it('equal climdex.pcic 1.2-0, inside and outside of the base period, with missing days and many equal values', () => {
    const file = new URL('../../../../../test/fixtures/climdex-percentile-indices.csv', import.meta.url);
    const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
    const found = new Map(
      (['year', 'season', 'month'] as const).map((frequency) => [frequency, figuresOf(undefined, frequency)]),
    );
    let compared = 0;
    for (const line of lines) {
      const [index, frequency, period, value = ''] = line.split(',');
      const figure = found.get(frequency as Frequency)?.get(`${index} ${period}`);
      expect(figure?.rule, line).to.equal('climdex_base');
      if (value === '') expect(figure, line).to.deep.include({ value: Number.NaN, valid: false });
      else expect(figure?.value, line).to.be.closeTo(Number(value), 1e-9);
      compared += 1;
    }
    expect(compared).to.equal(772);
  });

  it('have contributions of very wet days, which are shares of the amount of wet days', () => {
    const found = figuresOf();
    const amount: ByDate = (date) => (date.endsWith('-01') ? 40 : date.endsWith('-02') ? 10 : 0.5);
    const days = daysOfYears(1981, 1992, { precipitation: amount, maximum: () => 1, minimum: () => 0 });
    const share = figuresOf(days).get('R95pTOT 1985');
    // The percentile is 40 mm, and no day is above it.
    expect(share).to.include({ value: 0, valid: true });
    const [r95p, r95pTot] = [found.get('R95p 1985')?.value ?? 0, found.get('R95pTOT 1985')?.value ?? 0];
    expect(r95p).to.be.closeTo(222.9, 1e-9);
    expect(r95pTot).to.be.within(10, 60);
  });

  it('are not valid where fewer than 80 % of the days of the base period are known', () => {
    const valid = (years: readonly number[]) => {
      const base: ByDate = removeDays((date) => Number(date.slice(8)), ...years.map((year) => `${year}`));
      const days = daysOfYears(1979, 1994, { maximum: base, minimum: base, precipitation: base });
      const found = figuresOf(days);
      return ['TX90p 1994', 'WSDI 1994', 'R95p 1994'].map((key) => found.get(key)?.valid);
    };
    expect(valid([1983, 1984])).to.deep.equal([true, true, true]);
    expect(valid([1983, 1984, 1985])).to.deep.equal([false, false, false]);
  });

  it('begin with the station: a base period that begins earlier has the years of the station', () => {
    const all = madeClimate(1979, 2000);
    const wide = figuresOf(all, 'year', { from: 1977, to: 1992 });
    const own = figuresOf(all, 'year', { from: 1979, to: 1992 });
    for (const key of ['TX90p 1985', 'TN10p 1995', 'CSDI 1980', 'R99p 1990'])
      expect(wide.get(key), key).to.deep.equal(own.get(key));
  });
});
