import { expect } from 'chai';
import {
  globeTemperature,
  naturalWetBulb,
  saturationOverWater,
} from '../../../../src/domain/weather/derived/comfort/liljegren.js';
import { derive } from '../../../support/derived-quantities.js';

const KELVIN = 273.15;

/**
 * Tests of ECMWF's thermofeel 2.2.0 (Apache-2.0), made with Liljegren's own program: temperature (K), humidity (%), pressure (hPa), wind
 * at 10 m (m/s), radiation (W/m²), direct share, sine of the altitude; exponent with which the wind is reduced; result (K).
 */
const LILJEGREN = [
  [308.15, 40, 1013, 1, 800, 0.7, 0.9, 0.15, 306.559802],
  [303.15, 70, 1010, 3, 500, 0.5, 0.7, 0.2, 302.954374],
  [293.15, 60, 1015, 5, 200, 0.3, 0.5, 0.25, 290.82388],
  [298.15, 85, 1008, 2, 0, 0, 0.05, 0.3, 296.597705],
  [306.15, 50, 1013, 0.62, 700, 0.6, 0.8, 0.15, 307.358482],
  [305.15, 35, 1012, 2.5, 900, 0.9, 0.95, 0.15, 301.229074],
] as const;

describe('quantities of comfort, against published values', () => {
  it("wet bulb globe temperature: Liljegren's program", () => {
    for (const [
      temperature,
      humidity,
      pressure,
      wind,
      radiation,
      direct,
      altitude,
      exponent,
      expected,
    ] of LILJEGREN) {
      const vapour = (saturationOverWater(temperature) * humidity) / 100;
      const at2m = wind * 0.2 ** exponent;
      const exposure = { temperature, vapour, pressure, wind: at2m, radiation, direct, altitude };
      const index =
        0.7 * naturalWetBulb(exposure) + 0.2 * globeTemperature(exposure) + 0.1 * (temperature - KELVIN);
      // His iteration ends where a step is below 0.02 K.
      expect(index + KELVIN, `${temperature} K`).to.be.closeTo(expected, 0.02);
    }
  });

  it('wet bulb globe temperature: rises with radiation and humidity, and falls with wind', () => {
    const noon = {
      time: Date.UTC(2013, 6, 18, 17),
      latitude: 40.64,
      longitude: -73.76,
      elevation: 4,
      temperature: 33,
      humidity: 50,
      windSpeed: 3,
      radiation: 800,
    };
    const wbgt = (change: object) => derive('wet_bulb_globe_temperature', { ...noon, ...change });
    expect(wbgt({})).to.be.within(28, 32);
    expect(wbgt({ radiation: 400 })).to.be.below(wbgt({}));
    expect(wbgt({ humidity: 30 })).to.be.below(wbgt({}));
    expect(wbgt({ windSpeed: 8 })).to.be.below(wbgt({}));
    // In the dark, the globe and the wick lose heat to the sky.
    const night = wbgt({ time: Date.UTC(2013, 6, 18, 5), radiation: -2 });
    expect(night).to.be.below(derive('wet_bulb', noon) * 0.7 + 33 * 0.3);
    for (const unknown of ['radiation', 'windSpeed', 'latitude', 'humidity']) {
      expect(wbgt({ [unknown]: Number.NaN }), unknown).to.satisfy(Number.isNaN);
    }
  });

  it('wind chill: Environment Canada below 5 km/h, where both formulas meet', () => {
    for (const temperature of [0, -10, -25, -40]) {
      const light = derive('wind_chill', { temperature, windSpeed: 4.999_999 / 3.6 });
      const formula = derive('wind_chill', { temperature, windSpeed: 5 / 3.6 });
      expect(light, `${temperature} °C`).to.be.closeTo(formula, 0.1);
      expect(derive('wind_chill', { temperature, windSpeed: 0 })).to.equal(temperature);
    }
    // -10 + (-1.59 - 1.345) · 2.5 / 5.
    expect(derive('wind_chill', { temperature: -10, windSpeed: 2.5 / 3.6 })).to.be.closeTo(-11.4675, 1e-9);
    expect(derive('wind_chill', { temperature: 1, windSpeed: 1 })).to.satisfy(Number.isNaN);
    expect(derive('wind_chill', { temperature: -10, windSpeed: -1 })).to.satisfy(Number.isNaN);
  });

  it('heat index: null beyond the table of Steadman and the chart of the NWS', () => {
    expect(derive('heat_index', { temperature: 60, humidity: 100 })).to.satisfy(Number.isNaN);
    expect(derive('heat_index', { temperature: 50.1, humidity: 5 })).to.satisfy(Number.isNaN);
    expect(derive('heat_index', { temperature: 45, humidity: 90 })).to.satisfy(Number.isNaN);
    // The chart: 110 °F and 40 % are 136 °F.
    expect(derive('heat_index', { temperature: (110 - 32) / 1.8, humidity: 40 })).to.be.closeTo(57.8, 0.3);
  });
});
