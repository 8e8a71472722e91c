import { expect } from 'chai';
import { FORECAST_VARIABLES } from '#domain/forecast/forecast-variables.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { ALL_PARAMETERS, UCUM } from '#adapters/http/external/ogc/parameters.js';

/** Variables that the CF conventions have no standard name for. */
const WITHOUT_NAME = new Set([
  'lightning_strike_count',
  'leaf_wetness',
  'precipitation_trace',
  'daily_precipitation_trace',
  'daily_snowfall_trace',
  'daily_surface_snow_trace',
  'multiday_precipitation_days',
  'multiday_snowfall_days',
  'probability_of_precipitation',
  'probability_of_precipitation_6h',
  'weather_code',
]);

describe('parameters of OGC APIs', () => {
  const all = Object.values(ALL_PARAMETERS).flat();

  it('have a code of UCUM for each unit', () => {
    for (const { name, unit } of [...VARIABLES, ...FORECAST_VARIABLES, ...all])
      expect(UCUM, name).to.have.property(unit);
  });

  it('have CF standard names, without what the names of the service add', () => {
    const names = new Map(all.map(({ name, standardName }) => [name, standardName]));
    expect(names.get('daily_maximum_air_temperature')).to.equal('air_temperature');
    expect(names.get('daily_mean_wind_from_direction')).to.equal('wind_from_direction');
    expect(names.get('daily_surface_snow_thickness')).to.equal('surface_snow_thickness');
    expect(names.get('multiday_precipitation_amount')).to.equal('precipitation_amount');
    expect(names.get('precipitation_amount_6h')).to.equal('precipitation_amount');
    expect(names.get('air_temperature.max')).to.equal('air_temperature');
    const catalog = [...VARIABLES, ...FORECAST_VARIABLES].map(({ name }) => name);
    const known = new Set(catalog.filter((name) => !/^(?:daily|multiday)_|_6h$/.test(name)));
    for (const { name, standardName } of all) {
      const [variable = ''] = name.split('.');
      if (WITHOUT_NAME.has(variable)) expect(standardName, name).to.equal(undefined);
      // What is left is a name of the catalog, so that no part of a name is left over or missing.
      else expect(known, name).to.include(standardName);
    }
  });

  it('have different names in each collection, and a method', () => {
    for (const parameters of Object.values(ALL_PARAMETERS)) {
      const names = parameters.map(({ name }) => name);
      expect(new Set(names).size).to.equal(names.length);
    }
    const methods = new Set(all.map(({ method }) => method));
    expect([...methods].toSorted()).to.deep.equal([
      'maximum',
      'mean',
      'minimum',
      'point',
      'probability',
      'sum',
    ]);
  });
});
