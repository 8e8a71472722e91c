import { expect } from 'chai';
import { derive } from '../../../support/derived-quantities.js';

const INCH = 33.86388640341;

describe('quantities of pressure and height, against published values', () => {
  it('altimeter setting: MetPy, back from its station pressure', () => {
    // Test of MetPy (BSD-3-Clause): 29.8 inHg at 500 m are 950.96498 hPa at the station. Its standard temperature is 288.15 K instead of
    // 288 K, which is 0.03 hPa at 500 m.
    const setting = derive('altimeter_setting', { pressure: 950.96498, elevation: 500 });
    expect(setting).to.be.closeTo(29.8 * INCH, 0.03);
    // The sea level of the standard atmosphere, with the barometer 10 ft (0.3 hPa) above the runway.
    expect(derive('altimeter_setting', { pressure: 1013.25, elevation: 0 })).to.be.closeTo(1012.95, 1e-9);
    expect(derive('altimeter_setting', { seaLevelPressure: 1013, elevation: 0 })).to.satisfy(Number.isNaN);
  });

  it('potential temperature: MetPy', () => {
    // Example in the documentation of MetPy (BSD-3-Clause), to all digits: 273 K at 800 hPa. Its exponent is 2/7, too.
    const potential = derive('potential_temperature', { temperature: 273 - 273.15, pressure: 800 });
    expect(potential + 273.15).to.be.closeTo(290.972015, 1e-6);
    expect(derive('potential_temperature', { temperature: 10, pressure: 1000 })).to.be.closeTo(10, 1e-9);
  });

  it('cloud base: the exact height of Romps', () => {
    // Romps (2017), J. Atmos. Sci. 74, values in its supplement: 300 K, 1000 hPa, 50 % over water: 1433.844 m. The heat capacity of
    // vapor, which is left out here, is 0.9 %.
    const half = { temperature: 300 - 273.15, humidity: 50 };
    expect(derive('estimated_cloud_base', half)).to.be.closeTo(1433.844, 0.01 * 1433.844);
    expect(derive('estimated_cloud_base', { temperature: 15, humidity: 100 })).to.be.closeTo(0, 0.01);
    expect(derive('estimated_cloud_base', { temperature: 36, humidity: 50 })).to.satisfy(Number.isNaN);
  });

  it('sea level pressure: with the temperature of twelve hours before', () => {
    const station = { pressure: 930, humidity: 50, elevation: 700 };
    const steady = derive('sea_level_pressure', { ...station, temperature: 10 });
    const mean = { ...station, temperature: 20, temperatureBefore: 0 };
    expect(derive('sea_level_pressure_12h', { ...mean, humidity: 0 })).to.be.closeTo(
      derive('sea_level_pressure', { ...station, humidity: 0, temperature: 10 }),
      1e-9,
    );
    // The vapor is that of now: 11.6 hPa instead of 6.1, which is 0.7 K of virtual temperature.
    expect(derive('sea_level_pressure_12h', mean)).to.be.closeTo(steady, 0.25);
    expect(derive('sea_level_pressure', mean)).to.be.below(steady - 1);
    expect(derive('sea_level_pressure_12h', { ...station, temperature: 20 })).to.satisfy(Number.isNaN);
  });
});
