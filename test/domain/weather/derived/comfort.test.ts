import { expect } from 'chai';
import {
  globeTemperature,
  naturalWetBulb,
  saturationOverWater,
} from '#domain/weather/derived/comfort/liljegren.js';
import { meanRadiantTemperature } from '#domain/weather/derived/comfort/mean-radiant-temperature.js';
import { utciOf } from '#domain/weather/derived/comfort/utci.js';
import { saturationVaporPressure } from '#domain/weather/derived/vapor.js';
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

/** Validation data of pythermalcomfort (MIT licence): temperature, mean radiant temperature (°C), wind (m/s), humidity (%), UTCI (°C). */
const UTCI = [
  [25, 27, 1, 50, 25.2],
  [25, 25, 1, 50, 24.6],
  [19, 24, 1, 50, 20],
  [19, 14, 1, 50, 16.8],
  [27, 22, 1, 50, 25.5],
  [27, 22, 10, 50, 20],
  [27, 22, 16, 50, 15.8],
  [30, 27, 1, 50, 29.6],
  [9, 9, 1, 50, 8.7],
  [25, 25, 3.28 * 0.3048, 50, (76.4 - 32) / 1.8],
  [51, 22, 16, 50, Number.NaN],
  [27, 22, 0, 50, Number.NaN],
] as const;

/**
 * Values of the polynomial in ECMWF's thermofeel (Apache-2.0) at the ends of its range and between them: temperature, mean radiant
 * temperature (°C), wind (m/s), vapor pressure (hPa), UTCI (°C).
 */
const POLYNOMIAL = [
  [-40, -35, 2, 0.1, -43.863169],
  [-20, 10, 12, 0.8, -48.910481],
  [0, 45, 0.5, 3, 18.23029],
  [10, -10, 6, 9, -8.389335],
  [25, 27, 1, 15.8, 25.180997],
  [30, 95, 4, 30, 44.373096],
  [38, 70, 1.5, 48, 53.669474],
  [45, 50, 17, 20, 50.251143],
  [50, 120, 0.5, 10, 70.338763],
  [-45, 20, 8, 0.05, -61.826217],
  [20, 20, 3, 23, 18.771997],
  [35, 5, 10, 40, 34.732237],
] as const;

/** A hot noon in New York. */
const NOON = {
  time: Date.UTC(2013, 6, 18, 17),
  latitude: 40.64,
  longitude: -73.76,
  elevation: 4,
  temperature: 33,
  humidity: 50,
  windSpeed: 3,
  radiation: 800,
};

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
      const vapor = (saturationOverWater(temperature) * humidity) / 100;
      const at2m = wind * 0.2 ** exponent;
      const exposure = { temperature, vapor, pressure, wind: at2m, radiation, direct, altitude };
      const index =
        0.7 * naturalWetBulb(exposure) + 0.2 * globeTemperature(exposure) + 0.1 * (temperature - KELVIN);
      // His iteration ends where a step is below 0.02 K.
      expect(index + KELVIN, `${temperature} K`).to.be.closeTo(expected, 0.02);
    }
  });

  it('wet bulb globe temperature: rises with radiation and humidity, and falls with wind', () => {
    const wbgt = (change: object) => derive('wet_bulb_globe_temperature', { ...NOON, ...change });
    expect(wbgt({})).to.be.within(28, 32);
    expect(wbgt({ radiation: 400 })).to.be.below(wbgt({}));
    expect(wbgt({ humidity: 30 })).to.be.below(wbgt({}));
    expect(wbgt({ windSpeed: 8 })).to.be.below(wbgt({}));
    // In the dark, the globe and the wick lose heat to the sky.
    const night = wbgt({ time: Date.UTC(2013, 6, 18, 5), radiation: -2 });
    expect(night).to.be.below(derive('wet_bulb', NOON) * 0.7 + 33 * 0.3);
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

  it('UTCI: validation data of pythermalcomfort', () => {
    for (const [temperature, radiant, wind, humidity, expected] of UTCI) {
      const vapor = (saturationVaporPressure(temperature) * humidity) / 100;
      const utci = utciOf(temperature, radiant, wind, vapor);
      const label = `${temperature} °C, ${radiant} °C, ${wind} m/s`;
      if (Number.isNaN(expected)) expect(utci, label).to.satisfy(Number.isNaN);
      // 0.05 by the rounding of the data, 0.05 by their other formula of saturation, which differs by 0.3 %.
      else expect(utci, label).to.be.closeTo(expected, 0.1);
    }
  });

  it('UTCI: the polynomial of thermofeel, to the last digit', () => {
    for (const [temperature, radiant, wind, vapor, expected] of POLYNOMIAL)
      expect(utciOf(temperature, radiant, wind, vapor), `${temperature} °C`).to.be.closeTo(expected, 1e-6);
  });

  it('UTCI: the mean radiant temperature is that of the air at night, and far above it in the sun', () => {
    const night = { radiation: 0, direct: 0, beam: 0, altitude: -0.3 };
    expect(meanRadiantTemperature(12, night)).to.be.closeTo(12, 1e-9);
    // Overcast, 200 W/m² diffuse: 5.670374e-8 (T⁴ - 293.15⁴) = 0.7 / 0.97 · 0.5 · 1.23 · 200.
    const overcast = { radiation: 200, direct: 0, beam: 0, altitude: 0.6 };
    const absorbed = (0.7 / 0.97) * 0.5 * 1.23 * 200;
    expect(meanRadiantTemperature(20, overcast)).to.be.closeTo(
      (293.15 ** 4 + absorbed / 5.670374e-8) ** 0.25 - 273.15,
      1e-9,
    );
    // The projected area is 0.308 of the body with the sun at the horizon, and 0.073 below the zenith.
    const low = { radiation: 0, direct: 1, beam: 500, altitude: 0 };
    const high = { radiation: 500, direct: 1, beam: 500, altitude: 1 };
    const share = (radiant: number, reflected: number) =>
      ((((radiant + 273.15) ** 4 - 273.15 ** 4) * 5.670374e-8 * 0.97) / 0.7 - reflected) / 500;
    expect(share(meanRadiantTemperature(0, low), 0)).to.be.closeTo(0.308, 1e-6);
    expect(share(meanRadiantTemperature(0, high), 0.5 * 0.23 * 500)).to.be.closeTo(0.082, 0.01);
  });

  it('UTCI: from observations, null without radiation and outside of the range of its wind', () => {
    const utci = (change: object) => derive('universal_thermal_climate_index', { ...NOON, ...change });
    // Strong heat stress begins at 32 °C, very strong at 38 °C, extreme at 46 °C.
    expect(utci({})).to.be.within(38, 46);
    const night = { time: Date.UTC(2013, 6, 18, 5), radiation: -2 };
    const vapor = 0.5 * saturationVaporPressure(33);
    expect(utci(night)).to.be.closeTo(utciOf(33, 33, 3, vapor), 1e-9);
    for (const unknown of ['radiation', 'windSpeed', 'latitude', 'humidity']) {
      expect(utci({ [unknown]: Number.NaN }), unknown).to.satisfy(Number.isNaN);
    }
    for (const windSpeed of [0, 0.4, 17.1]) expect(utci({ windSpeed })).to.satisfy(Number.isNaN);
    // At 2 m this is 0.53 m/s at 10 m.
    expect(utci({ windSpeed: 0.4, windHeight: 2 })).to.be.above(utci({}));
  });

  it('wind chill and apparent temperature: for wind at 10 m, by the profile of FAO-56', () => {
    // FAO-56, table 2.8 (annex 2): wind at 2 m is 0.748 times that at 10 m.
    const given = { temperature: -5, humidity: 60 };
    for (const name of ['wind_chill', 'apparent_temperature']) {
      const low = derive(name, { ...given, windSpeed: 4, windHeight: 2 });
      expect(low, name).to.be.closeTo(derive(name, { ...given, windSpeed: 4 / 0.748 }), 0.01);
    }
  });

  it('what the air feels like: each part of the scale of a weather service, and unknown inputs', () => {
    const [us, canada] = ['wind_chill_or_heat_index', 'wind_chill_or_humidex'].map(
      (name) => (temperature: number, humidity: number, windSpeed: number) =>
        derive(name, { temperature, humidity, windSpeed }),
    ) as [(...given: number[]) => number, (...given: number[]) => number];
    const chill = derive('wind_chill', { temperature: -10, windSpeed: 5 });
    expect([us(-10, 50, 5), canada(-10, 50, 5)]).to.deep.equal([chill, chill]);
    // Light wind, and temperatures between the two scales: as the air is.
    for (const [temperature = 0, wind = 0] of [
      [5, 0.5],
      [15, 3],
      [10.1, 9],
    ])
      expect([us(temperature, 50, wind), canada(temperature, 50, wind)]).to.deep.equal([
        temperature,
        temperature,
      ]);
    expect(us(30, 70, 2)).to.equal(derive('heat_index', { temperature: 30, humidity: 70 }));
    expect(canada(30, 70, 2)).to.equal(derive('humidex', { temperature: 30, humidity: 70 }));
    expect(us(26, 60, 2)).to.equal(26);
    expect(canada(35, 10, 2)).to.equal(35);
    // Beyond the tables, and with unknown humidity or wind.
    for (const feels of [us, canada])
      for (const given of [
        [42, 70, 2],
        [30, Number.NaN, 2],
        [5, 50, Number.NaN],
        [Number.NaN, 50, 2],
        [-81, 50, 5],
      ])
        expect(feels(...given), String(given)).to.satisfy(Number.isNaN);
  });

  it('WBGT: wind at 2 m and the wind at 10 m above it give the same', () => {
    const wbgt = (windSpeed: number, windHeight: number) =>
      derive('wet_bulb_globe_temperature', { ...NOON, windSpeed, windHeight });
    expect(wbgt(3 * 0.748, 2)).to.be.closeTo(wbgt(3, 10), 0.01);
    expect(wbgt(3, 2)).to.be.below(wbgt(3, 10));
  });
});
