import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DERIVED } from '#domain/weather/derived/quantities.js';
import type { QuantityInputs } from '#domain/weather/derived/quantity.js';
import { saturationVaporPressure } from '#domain/weather/derived/vapor.js';
import { derive as compute, NOTHING } from '../../../support/derived-quantities.js';

const fixture = new URL('../../../../../test/fixtures/oracles.json', import.meta.url);

interface Oracles {
  readonly nws: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly humidex: readonly (readonly [number, number, number])[];
  readonly windChill: readonly (readonly [number, number, number])[];
  readonly thermofeel: readonly (Pick<
    QuantityInputs,
    'temperature' | 'dewPoint' | 'windSpeed' | 'humidity'
  > & {
    readonly wetBulb: number;
    readonly humidex: number;
  })[];
}

const oracles = JSON.parse(readFileSync(fixture, 'utf8')) as Oracles;
const celsius = (fahrenheit: number) => (fahrenheit - 32) / 1.8;
const fahrenheit = (degrees: number) => degrees * 1.8 + 32;
const MPH = 0.44704;

describe('derived quantities, against published values', () => {
  it('heat index: the points of the NWS calculator, to the degree', () => {
    for (const [t = 0, humidity = 0, expected = 0] of oracles.nws['heat_index_F'] ?? []) {
      const index = fahrenheit(compute('heat_index', { temperature: celsius(t), humidity }));
      expect(Math.abs(index - expected), `${t} °F, ${humidity} %: ${index}`).to.be.below(0.51);
    }
    for (const [t = 0, humidity = 0] of oracles.nws['heat_index_undefined_F'] ?? []) {
      expect(compute('heat_index', { temperature: celsius(t), humidity })).to.satisfy(Number.isNaN);
    }
  });

  it('heat index: the regression of SR 90-23 with the adjustments for dry and for damp air, computed apart', () => {
    const table = [
      [95, 5, 88.177],
      [104, 8, 97.164],
      [88, 10, 83.691],
      [112, 5, 103.651],
      // Beyond 112 °F and 87 °F, and from 13 to 85 %, there is no adjustment.
      [113, 5, 104.43],
      [82, 90, 91.992],
      [86, 95, 108.527],
      [87, 90, 109.183],
      [88, 90, 113.247],
    ] as const;
    for (const [t, humidity, expected] of table) {
      const index = fahrenheit(compute('heat_index', { temperature: celsius(t), humidity }));
      expect(index, `${t} °F, ${humidity} %`).to.be.closeTo(expected, 0.0011);
    }
  });

  it('wind chill: the chart of the NWS and Environment Canada', () => {
    for (const [t = 0, mph = 0, expected = 0] of oracles.nws['wind_chill_F'] ?? []) {
      // The agencies have rounded the coefficients for °F and for °C separately.
      const chill = fahrenheit(compute('wind_chill', { temperature: celsius(t), windSpeed: mph * MPH }));
      expect(Math.abs(chill - expected), `${t} °F, ${mph} mph: ${chill}`).to.be.below(0.55);
    }
    for (const [temperature = 0, windSpeed = 0, expected = 0] of oracles.nws['wind_chill_C'] ?? []) {
      expect(compute('wind_chill', { temperature, windSpeed })).to.be.closeTo(expected, 0.5);
    }
    for (const [t = 0, mph = 0] of oracles.nws['wind_chill_undefined_F'] ?? []) {
      expect(compute('wind_chill', { temperature: celsius(t), windSpeed: mph * MPH })).to.satisfy(
        Number.isNaN,
      );
    }
    for (const [temperature, kilometers, expected] of oracles.windChill.filter(([, speed]) => speed >= 4.8)) {
      const chill = compute('wind_chill', { temperature, windSpeed: kilometers / 3.6 });
      expect(chill, `${temperature} °C, ${kilometers} km/h`).to.be.closeTo(expected, 0.1);
    }
  });

  it('humidex: two libraries, where it is defined', () => {
    for (const [temperature, humidity, expected] of oracles.humidex.filter(([t]) => t >= 20)) {
      expect(compute('humidex', { temperature, humidity }), `${temperature} ${humidity}`).to.be.closeTo(
        expected,
        1,
      );
    }
    const warm = oracles.thermofeel.filter(({ temperature }) => temperature >= 20);
    expect(warm.length).to.be.above(1);
    for (const { humidex, ...given } of warm) {
      const computed = compute('humidex', given);
      if (humidex < given.temperature) expect(computed).to.satisfy(Number.isNaN);
      else expect(computed).to.be.closeTo(humidex, 0.1);
    }
    expect(compute('humidex', { temperature: 19.9, humidity: 50 })).to.satisfy(Number.isNaN);
  });

  it('wet bulb: within the errors that Stull states, of his formula in the test cases of thermofeel', () => {
    // Stull (2011): errors from -1 °C to +0.65 °C at 1013.25 hPa, temperature from -20 to 50 °C, humidity from 5 to 99 %.
    for (const { wetBulb, temperature, humidity } of oracles.thermofeel) {
      if (humidity < 5 || humidity > 99) continue;
      const error = wetBulb - compute('wet_bulb', { temperature, humidity, pressure: 1013.25 });
      expect(error, `${temperature} °C, ${humidity} %`).to.be.within(-1, 0.65);
    }
    // Stull (2011), in the text: 20 °C and 50 % give 13.7 °C.
    expect(compute('wet_bulb', { temperature: 20, humidity: 50, pressure: 1013.25 })).to.be.closeTo(
      13.7,
      0.1,
    );
  });

  it('apparent temperature: Steadman, without radiation', () => {
    // Validation data of pythermalcomfort (MIT licence).
    expect(compute('apparent_temperature', { temperature: 25, humidity: 30, windSpeed: 0.1 })).to.be.closeTo(
      24.1,
      0.1,
    );
    expect(compute('apparent_temperature', { temperature: 23, humidity: 70, windSpeed: 1 })).to.be.closeTo(
      24.8,
      0.1,
    );
  });

  it('vapour pressure and dew point: WMO-No. 8 and FAO-56', () => {
    // FAO-56, annex 2, table 2.3 (kPa): 1.0 °C 0.657, 20 °C 2.338, 40 °C 7.384.
    for (const [t, kilopascal] of [
      [1, 0.657],
      [20, 2.338],
      [40, 7.384],
    ] as const) {
      expect(saturationVaporPressure(t) / 10).to.be.closeTo(kilopascal, 0.007 * kilopascal);
    }
    // FAO-56, example 5: 35 °C and 63 % give a vapor pressure 1.78 kPa below 5.62 kPa. Here for one temperature.
    const deficit = compute('vapour_pressure_deficit', { temperature: 24.5, humidity: 82 });
    expect(deficit).to.be.closeTo(3.075 * (1 - 0.82), 0.003);
    for (const t of [-30, -5, 0, 12.3, 40]) {
      expect(compute('dew_point', { temperature: t, humidity: 100 })).to.be.closeTo(t, 1e-9);
      const dewPoint = compute('dew_point', { temperature: t, humidity: 40 });
      expect((100 * saturationVaporPressure(dewPoint)) / saturationVaporPressure(t)).to.be.closeTo(40, 1e-9);
    }
  });

  it('sea level pressure: the barometric law', () => {
    // In dry air at 15 °C and 100 m the standard atmosphere has 1001.29 hPa (ICAO Doc 7488).
    const dry = { temperature: 15 - 0.65, humidity: 0.001, elevation: 100 };
    expect(compute('sea_level_pressure', { ...dry, pressure: 1001.29 })).to.be.closeTo(1013.25, 0.1);
    expect(compute('sea_level_pressure', { ...dry, pressure: 1001.29, elevation: 0 })).to.be.closeTo(
      1001.29,
      1e-9,
    );
    expect(compute('sea_level_pressure', { ...dry, pressure: 900, elevation: 751 })).to.satisfy(Number.isNaN);
    expect(compute('sea_level_pressure', { ...dry, pressure: 900, elevation: Number.NaN })).to.satisfy(
      Number.isNaN,
    );
  });

  it('sea level pressure: the stored one first, at stations above 750 m too', () => {
    const high = { temperature: 10, humidity: 60, pressure: 900, elevation: 1000 };
    expect(compute('sea_level_pressure', high)).to.satisfy(Number.isNaN);
    expect(compute('sea_level_pressure', { ...high, seaLevelPressure: 1013 })).to.equal(1013);
    const low = { ...high, elevation: 100, pressure: 1000 };
    expect(compute('sea_level_pressure', { ...low, seaLevelPressure: 1011.5 })).to.equal(1011.5);
    const earlier = { ...low, temperatureBefore: 10 };
    expect(compute('sea_level_pressure_12h', { ...earlier, seaLevelPressure: 1011.5 })).to.equal(
      compute('sea_level_pressure', low),
    );
  });

  it('takes the humidity from the dew point where it was not measured', () => {
    const [a, b] = [
      { temperature: 30, humidity: 50 },
      { temperature: 30, dewPoint: 18.4465 },
    ];
    expect(compute('heat_index', b)).to.be.closeTo(compute('heat_index', a), 0.01);
  });

  it('is NaN if an input is missing, and each names its formula and range', () => {
    for (const quantity of DERIVED) {
      const { name, formula, validity } = quantity;
      expect(quantity.compute(NOTHING), name).to.satisfy(Number.isNaN);
      expect(formula.length * validity.length, name).to.be.above(0);
    }
  });
});
