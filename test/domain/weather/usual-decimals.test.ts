import { expect } from 'chai';
import fc from 'fast-check';
import { displayUnit, UNIT_CHOICES } from '#adapters/site/client/format/units.js';
import { decimalsIn, shownIn, type UnitSystem, unitsOf } from '#domain/weather/units.js';
import { roundTo } from '#domain/weather/usual-decimals.js';
import { type Variable, variableNamed, VARIABLES } from '#domain/weather/variables.js';

describe('decimals of values', () => {
  it('are rounded as Intl.NumberFormat rounds numbers of up to 12 digits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }),
        fc.nat(10),
        fc.nat(4),
        (digits, scale, decimals) => {
          const value = Number(`${digits}e-${scale}`);
          const written = new Intl.NumberFormat('en', {
            maximumFractionDigits: decimals,
            useGrouping: false,
          });
          expect(roundTo(value, decimals), String(value)).to.equal(Number(written.format(value)) + 0);
        },
      ),
      { numRuns: 2000 },
    );
    expect([roundTo(1.005, 2), roundTo(-1.45, 1), roundTo(8.345, 2)]).to.deep.equal([1.01, -1.5, 8.35]);
    for (const value of [Number.NaN, Infinity, 1e300, -1e21]) expect(roundTo(value, 1)).to.deep.equal(value);
    expect(Object.is(roundTo(-0.04, 1), 0)).to.equal(true);
  });

  it('are known for each variable in each unit', () => {
    for (const variable of VARIABLES) {
      for (const unit of unitsOf(variable))
        expect(decimalsIn(variable, unit, 'usual'), `${variable.name} ${unit}`).to.be.within(0, 12);
    }
    const written = (name: string, system: UnitSystem, value: number) =>
      shownIn(system, variableNamed(name) as Variable, 'usual')(value);
    expect(written('air_temperature', 'imperial', 9.72)).to.equal(49.5);
    expect(written('air_pressure_at_mean_sea_level', 'imperial', 1018.7)).to.equal(30.08);
    expect(written('air_pressure_at_mean_sea_level', 'si', 1018.74)).to.equal(101_874);
    expect(written('wind_speed', 'metric', 5.658_891_603_2)).to.equal(5.7);
    expect(written('wind_speed', 'imperial', 5.658_891_603_2)).to.equal(13);
    expect(written('precipitation_amount', 'imperial', 0.254)).to.equal(0.01);
    expect(written('precipitation_amount', 'si', 0.254)).to.equal(0.0003);
    expect(written('surface_snow_thickness', 'metric', 0.1234)).to.equal(0.12);
    expect(shownIn('metric', variableNamed('wind_speed') as Variable, 3)(5.658_891_603_2)).to.equal(5.659);
  });

  it('are the same on the pages and in the API, wherever both have the unit', () => {
    for (const variable of VARIABLES) {
      for (const choice of UNIT_CHOICES) {
        const { unit, decimals } = displayUnit(variable.name, variable.unit, choice);
        const named = { '°': 'degree', kn: 'kt' }[unit] ?? unit;
        if (unitsOf(variable).includes(named))
          expect(decimals, `${variable.name} ${unit}`).to.equal(decimalsIn(variable, named, 'usual'));
      }
    }
  });
});
