import { expect } from 'chai';
import fc from 'fast-check';
import { isMeasured, statistic } from '#adapters/site/client/sections/climate/climate-reply.js';
import { elementUnit } from '#adapters/site/client/sections/climate/element-unit.js';
import { commonSource, sourcesOf } from '#adapters/site/client/sections/climate/sources.js';
import {
  prevailingSector,
  ringPercentages,
  usedClasses,
  wedge,
} from '#adapters/site/client/sections/rose/rose-model.js';
import { shownYearsOf } from '#adapters/site/client/sections/years.js';

describe('the wind rose', () => {
  it('names the sector with the most winds, and none if there are only calms', () => {
    const rose = {
      count: 9,
      calm_below: 0.5,
      calms: 2,
      without_direction: 0,
      classes: [{ from: 0.5, to: null }],
    };
    const sectors = (...counts: readonly number[]) =>
      counts.map((count, index) => ({ direction: index * 90, count, counts: [count] }));
    expect(prevailingSector({ ...rose, sectors: sectors(1, 4, 0, 2) })).to.equal(1);
    expect(prevailingSector({ ...rose, sectors: sectors(0, 0, 0, 0) })).to.equal(undefined);
  });

  it('has one to five rings at round numbers, the last of them just beyond the longest wedge', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 100, noNaN: true }), (largest) => {
        const shown = ringPercentages(largest);
        expect(shown).to.have.length.within(1, 5);
        const [step = 0, last = 0] = [shown[0], shown.at(-1)];
        expect(last).to.be.at.least(largest);
        expect(last - largest).to.be.below(step);
      }),
    );
  });

  it('leaves out the classes that no wind has', () => {
    const counts = fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 6, maxLength: 6 }), {
      minLength: 1,
      maxLength: 16,
    });
    fc.assert(
      fc.property(counts, (all) => {
        const classes = Array.from({ length: 6 }, (_class, from) => ({ from, to: from + 1 }));
        const sectors = all.map((ofSector, index) => ({ direction: index, count: 1, counts: ofSector }));
        expect(usedClasses({ classes, sectors })).to.deep.equal(
          [0, 1, 2, 3, 4, 5].filter((index) => all.some((ofSector) => ofSector[index] === 1)),
        );
      }),
    );
  });

  it('draws a wedge clockwise from north', () => {
    expect(wedge(0, 90, 10, 20)).to.equal('M0 -10L0 -20A20 20 0 0 1 20 0L10 0A10 10 0 0 0 0 -10Z');
  });
});

describe('the climate', () => {
  it('converts degree days as differences', () => {
    const { unit, convert } = elementUnit('heating', '°C d', 'imperial');
    expect([unit, convert(100)]).to.deep.equal(['°F d', 180]);
  });

  it('writes sunshine in hours, and snow as deep as people measure it', () => {
    const shown = (
      element: string,
      metric: string,
      value: number,
      choice: 'metric' | 'imperial' = 'metric',
    ) => {
      const { unit, decimals, convert } = elementUnit(element, metric, choice);
      return `${convert(value).toFixed(decimals)} ${unit}`;
    };
    expect(shown('sunshine', 's', 5400)).to.equal('1.5 h');
    expect(shown('new_snow', 'mm', 254)).to.equal('25.4 cm');
    expect(shown('new_snow', 'mm', 254, 'imperial')).to.equal('10.0 in');
    expect(shown('greatest_snow_depth', 'm', 0.12)).to.equal('12 cm');
    expect(shown('precipitation', 'mm', 254)).to.equal('254.0 mm');
    expect(shown('snow_cover_days', 'd', 3)).to.equal('3 ');
  });

  it('offers the sources of a station with observations and daily values, and marks a table that has both', () => {
    const inventory = (...variables: readonly string[]) => ({
      first: null,
      last: null,
      count: 1,
      variables: [...variables],
    });
    expect(sourcesOf(inventory('air_temperature', 'wind_speed'))).to.deep.equal([]);
    expect(sourcesOf(inventory('daily_maximum_air_temperature', 'wind_speed'))).to.deep.equal([]);
    const both = inventory('precipitation_amount', 'daily_precipitation_amount');
    expect(sourcesOf(both)).to.deep.equal(['both', 'observations', 'daily']);
    const columns = [{ element: 'precipitation' }, { element: 'sunshine' }];
    for (const [precipitation, sunshine, common] of [
      ['daily', 'daily', 'daily'],
      ['observations', 'observations', 'observations'],
      ['daily', 'observations', undefined],
      ['both', 'both', undefined],
    ] as const)
      expect(commonSource({ precipitation, sunshine, wet_days: 'both' }, columns)).to.equal(common);
  });

  it('shows the number so far of a running month, and a table on the first day of a year', () => {
    const final = { value: null, days: 0, missing: 31, rule: 'wmo_1203', valid: false } as const;
    const months = (value: number | null, days: number, until: string | null) => [
      { month: '2026-01', mean_temperature: { ...final, so_far: { value, days, missing: 0, until } } },
    ];
    const [running] = months(2.5, 3, '2026-01-03');
    expect(statistic(running, 'mean_temperature')).to.include({
      value: 2.5,
      missing: 0,
      until: '2026-01-03',
    });
    expect(isMeasured(months(2.5, 3, '2026-01-03'), 'mean_temperature')).to.equal(true);
    expect(isMeasured(months(null, 0, null), 'mean_temperature')).to.equal(true);
    expect(isMeasured(months(null, 0, '2026-01-03'), 'mean_temperature')).to.equal(false);
    expect(isMeasured(months(null, 0, null), 'precipitation')).to.equal(false);
  });

  it('offers the local years that have observations', () => {
    const inventory = {
      first: '2012-01-01T04:00:00Z',
      last: '2014-01-01T04:59:00Z',
      count: 1,
      variables: [],
    };
    const station = { time_zone: 'America/New_York' } as Parameters<typeof shownYearsOf>[1];
    expect(shownYearsOf(inventory, station)).to.deep.equal(['2013', '2012', '2011']);
    // The values of the last day of a year are of the midnight after it.
    expect(shownYearsOf({ ...inventory, last: '2014-01-01T05:00:00Z' }, station)).to.deep.equal([
      '2013',
      '2012',
      '2011',
    ]);
    expect(shownYearsOf({ ...inventory, first: null, last: null }, station)).to.deep.equal([]);
  });
});
