import { expect } from 'chai';
import { acceptStation } from '#domain/weather/station.js';
import { VARIABLES } from '#domain/weather/variables.js';

describe('heights of sensors', () => {
  const SOIL = new Set([
    'soil_temperature',
    'volume_fraction_of_condensed_water_in_soil',
    'volume_fraction_of_condensed_water_in_soil_pores',
  ]);
  for (const { name } of VARIABLES) {
    const accepted = SOIL.has(name) ? [-100, -0.5, 0, 0.1, 1000] : [0.1, 10, 1000];
    const refused = SOIL.has(name) ? [-101, 1001, NaN] : [0, -5, 1001, NaN];
    it(`are accepted where a sensor can be: ${name}`, () => {
      for (const height of accepted) acceptStation({ sensorHeights: { [name]: height } });
      for (const height of refused)
        expect(() => acceptStation({ sensorHeights: { [name]: height } }), String(height)).to.throw(
          `The height of the sensor of ${name} above the ground is`,
        );
    });
  }
});
