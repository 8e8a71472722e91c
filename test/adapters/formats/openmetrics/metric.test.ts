import { expect } from 'chai';
import fc from 'fast-check';
import { metricHead, metricOf, OPENMETRICS_END, sample } from '#adapters/formats/openmetrics/metric.js';
import { VARIABLES, variableNamed, type Variable } from '#domain/weather/variables.js';
import { parseOpenMetrics } from '../../../support/openmetrics.js';

const metric = (name: string) => metricOf(variableNamed(name) as Variable);

describe('OpenMetrics', () => {
  it('has a metric for each variable, in a base unit that its name ends with', () => {
    const text = VARIABLES.map((variable) => {
      const of = metricOf(variable);
      return metricHead(of) + sample(of.name, { station: 'a' }, of.convert(variable.limits.max));
    }).join('');
    const families = parseOpenMetrics(text + OPENMETRICS_END);
    expect(families).to.have.length(VARIABLES.length);
    for (const [index, { unit }] of VARIABLES.entries())
      expect(families[index]?.unit === undefined, families[index]?.name).to.equal(unit === '1');
    for (const [name, of, stored, value] of [
      ['weather_air_temperature_celsius', 'air_temperature', -12.4, -12.4],
      ['weather_relative_humidity_ratio', 'relative_humidity', 54, 0.54],
      ['weather_surface_air_pressure_pascals', 'surface_air_pressure', 1013.2, 101_320],
      ['weather_wind_speed_meters_per_second', 'wind_speed', 3.1, 3.1],
      ['weather_precipitation_amount_meters', 'precipitation_amount', 0.2, 0.0002],
      ['weather_wind_from_direction_degrees', 'wind_from_direction', 270, 270],
      ['weather_lightning_strikes', 'lightning_strike_count', 3, 3],
      ['weather_ultraviolet_index', 'ultraviolet_index', 4, 4],
      [
        'weather_mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air_grams_per_cubic_meter',
        'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air',
        12.5,
        0.000_012_5,
      ],
    ] as const) {
      expect(metric(of).name).to.equal(name);
      expect(metric(of).convert(stored), name).to.equal(value);
    }
  });

  it('writes any text of a label and any number so that a parser reads the same', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', 'é', '"', '\\', '\n', '{', '}', ',', '=', ' ', '#'),
    });
    fc.assert(
      fc.property(texts, fc.double({ noNaN: true, noDefaultInfinity: true }), (name, value) => {
        const of = metric('air_temperature');
        const text = metricHead(of) + sample(of.name, { station: 'JFK', name }, value) + OPENMETRICS_END;
        expect(parseOpenMetrics(text)[0]?.samples).to.deep.equal([
          { labels: { station: 'JFK', name }, value: value + 0 },
        ]);
      }),
    );
  });
});
