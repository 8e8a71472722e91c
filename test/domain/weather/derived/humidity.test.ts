import { expect } from 'chai';
import { saturationTemperature } from '#domain/weather/derived/vapor.js';
import { derive } from '../../../support/derived-quantities.js';

/** Dew point of air with a humidity ratio (kg/kg), with the molar mass ratio of ASHRAE. */
const dewPointOf = (ratio: number, pressure: number) =>
  saturationTemperature((ratio * pressure) / (0.621945 + ratio));

describe('quantities of humid air, against published values', () => {
  /*
   * The tests of PsychroLib 2.5.0 (MIT licence), which has the same balance of heat. Its saturation vapor pressure (Hyland and Wexler)
   * is up to 0.3 % above the Magnus formula of WMO-No. 8; at 25 °C this is 0.04 °C of the wet bulb.
   */
  it('wet bulb: PsychroLib, over water and over ice', () => {
    const vectors = [
      [{ temperature: 7, humidity: 61, pressure: 1000 }, 3.92667433781955],
      [{ temperature: 30, dewPoint: dewPointOf(0.0192281274241096, 954.61), pressure: 954.61 }, 25],
      [{ temperature: -1, dewPoint: dewPointOf(0.00120399819933844, 954.61), pressure: 954.61 }, -5],
    ] as const;
    for (const [conditions, expected] of vectors) {
      expect(derive('wet_bulb', conditions), JSON.stringify(conditions)).to.be.closeTo(expected, 0.045);
    }
    // ASHRAE Handbook (2017), chapter 1, example 1, with a humidity ratio to four decimals, which are 0.15 °C.
    const example = { temperature: 40, dewPoint: dewPointOf(0.0065, 1013.25), pressure: 1013.25 };
    expect(derive('wet_bulb', example)).to.be.closeTo(20, 0.15);
  });

  it('wet bulb: depends on station pressure, which may follow from that at sea level or from the elevation', () => {
    const dry = { temperature: 30, humidity: 20, elevation: 1600 };
    const high = derive('wet_bulb', { ...dry, pressure: 835 });
    expect(derive('wet_bulb', { ...dry, pressure: 1013 }) - high).to.be.within(0.5, 1.1);
    // 1600 m of the standard atmosphere have 835.2 hPa.
    expect(derive('wet_bulb', dry)).to.be.closeTo(high, 0.01);
    const low = { temperature: 30, humidity: 20, elevation: 300 };
    const pressure = 980;
    const seaLevelPressure = derive('sea_level_pressure', { ...low, pressure });
    const fromSeaLevel = derive('wet_bulb', { ...low, seaLevelPressure });
    expect(fromSeaLevel).to.be.closeTo(derive('wet_bulb', { ...low, pressure }), 1e-9);
    expect(derive('wet_bulb', { temperature: 30, humidity: 20 })).to.satisfy(Number.isNaN);
    // A pressure that no station has is an error, not an unknown pressure.
    expect(derive('wet_bulb', { ...dry, pressure: 5 })).to.satisfy(Number.isNaN);
  });

  it('wet bulb: is the air temperature in fog, and defined in dry and in cold air', () => {
    for (const temperature of [-30, -5, 0, 12.3, 40]) {
      expect(derive('wet_bulb', { temperature, humidity: 100, pressure: 1000 })).to.be.closeTo(
        temperature,
        1e-6,
      );
    }
    expect(derive('wet_bulb', { temperature: -20, humidity: 5, elevation: 0 })).to.be.within(-22, -20);
    expect(derive('wet_bulb', { temperature: 60, humidity: 0, elevation: 0 })).to.be.within(20, 22);
  });

  it('dew point: is the stored one; by rounding it may be above the air temperature, but not by more', () => {
    expect(derive('dew_point', { dewPoint: 4.86 })).to.equal(4.86);
    expect(derive('dew_point', { dewPoint: 4.86, temperature: 10, humidity: 20 })).to.equal(4.86);
    expect(derive('dew_point', { dewPoint: 10.05, temperature: 10 })).to.equal(10);
    expect(derive('dew_point', { dewPoint: 10.06, temperature: 10 })).to.satisfy(Number.isNaN);
    expect(derive('heat_index', { dewPoint: 36, temperature: 30 })).to.satisfy(Number.isNaN);
  });

  it('frost point: WMO-No. 8, annex 4.B, and above the dew point by a tenth of the degrees below 0 °C', () => {
    const frostPoint = derive('frost_point', { temperature: -5, dewPoint: -10 });
    // The frost point of a dew point of -10 °C in the Smithsonian Meteorological Tables (1951), tables 94 and 96: 2.863 hPa.
    expect(frostPoint).to.be.closeTo(-8.9, 0.05);
    expect(derive('frost_point', { temperature: 20, dewPoint: 10 })).to.satisfy(Number.isNaN);
  });

  it('absolute humidity, mixing ratio and density: tables and PsychroLib', () => {
    // Smithsonian Meteorological Tables (1951), table 108: saturated air of 20 °C has 17.30 g/m³; Magnus is 0.3 % lower.
    expect(derive('absolute_humidity', { temperature: 20, humidity: 100 })).to.be.closeTo(17.3, 0.07);
    // PsychroLib: 31.697 hPa at 954.61 hPa (500 m) are 0.0213603998 kg/kg; the molar mass ratio of WMO differs by 0.006 %.
    const moist = { temperature: 26, dewPoint: saturationTemperature(31.697), pressure: 954.61 };
    expect(derive('mixing_ratio', moist)).to.be.closeTo(21.3604, 0.003);
    const air = { temperature: 30, dewPoint: dewPointOf(0.02, 954.61), pressure: 954.61 };
    // PsychroLib, to the digits of its gas constant.
    expect(derive('air_density', air)).to.be.closeTo(1.08411986, 0.0001);
    // The standard atmosphere (ICAO Doc 7488).
    expect(derive('air_density', { temperature: 15, humidity: 0, pressure: 1013.25 })).to.be.closeTo(
      1.225,
      0.0005,
    );
  });
});
