import { expect } from 'chai';
import fc from 'fast-check';
import { DERIVED } from '#domain/weather/derived/quantities.js';
import type { QuantityInputs } from '#domain/weather/derived/quantity.js';
import { utciOf } from '#domain/weather/derived/comfort/utci.js';
import { saturationTemperature, saturationVaporPressure } from '#domain/weather/derived/vapor.js';
import { derive } from '../../../support/derived-quantities.js';

const range = (from: number, to: number, step: number) =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step);
/** Temperature, humidity and pressure, over the whole range of the formulas. */
const TEMPERATURES = range(-45, 60, 2.5);
const HUMIDITIES = [0, 0.1, 1, ...range(5, 95, 5), 99, 99.9, 100];
const PRESSURES = [500, 700, 850, 1013.25, 1100];

function* grid(): Generator<{ temperature: number; humidity: number; pressure: number }> {
  for (const temperature of TEMPERATURES)
    for (const humidity of HUMIDITIES)
      for (const pressure of PRESSURES) yield { temperature, humidity, pressure };
}

/** Fails unless the values rise with their position. Values that are NaN are left out. */
function rises(values: readonly number[], label: string): void {
  const known = values.filter((value) => !Number.isNaN(value));
  for (const [index, value] of known.entries()) {
    if (index > 0 && value < (known[index - 1] as number) - 1e-9) expect.fail(`${label}: ${known.join(' ')}`);
  }
}

/** Any conditions, those that contradict each other included; some are unknown. */
const conditions = fc.record({
  time: fc.integer({ min: Date.UTC(1900), max: Date.UTC(2100) }),
  temperature: fc.oneof(fc.constant(Number.NaN), fc.double({ min: -90, max: 70 })),
  temperatureBefore: fc.oneof(fc.constant(Number.NaN), fc.double({ min: -90, max: 70 })),
  dewPoint: fc.oneof(fc.constant(Number.NaN), fc.double({ min: -90, max: 70 })),
  humidity: fc.oneof(fc.constant(Number.NaN), fc.double({ min: -10, max: 110 })),
  pressure: fc.oneof(fc.constant(Number.NaN), fc.double({ min: 0, max: 1200 })),
  seaLevelPressure: fc.oneof(fc.constant(Number.NaN), fc.double({ min: 800, max: 1100 })),
  windSpeed: fc.oneof(fc.constant(Number.NaN), fc.double({ min: -1, max: 80 })),
  windHeight: fc.double({ min: 1, max: 1000, noNaN: true }),
  radiation: fc.oneof(fc.constant(Number.NaN), fc.double({ min: -10, max: 1700 })),
  pm2p5: fc.double({ min: -1, max: 1000 }),
  pm10: fc.double({ min: -1, max: 1000 }),
  elevation: fc.oneof(fc.constant(Number.NaN), fc.double({ min: -500, max: 9000 })),
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
}) as fc.Arbitrary<QuantityInputs>;

/** The temperature of this vapor, computed back, is below the stored dew point in its last digit. */
const SATURATED: QuantityInputs = {
  time: 0,
  temperature: 0,
  temperatureBefore: 0,
  dewPoint: -7.659404703373101e-16,
  humidity: 0,
  pressure: Number.NaN,
  seaLevelPressure: Number.NaN,
  windSpeed: Number.NaN,
  windHeight: 1,
  radiation: 0,
  pm2p5: Number.NaN,
  pm10: Number.NaN,
  elevation: 0,
  latitude: 0,
  longitude: 0,
};

describe('derived quantities, over the whole range', () => {
  it('dew point ≤ wet bulb ≤ air temperature', () => {
    for (const given of grid()) {
      const [dewPoint, wetBulb] = [derive('dew_point', given), derive('wet_bulb', given)];
      const label = JSON.stringify({ ...given, dewPoint, wetBulb });
      if (Number.isNaN(wetBulb) || wetBulb > given.temperature || wetBulb < dewPoint) expect.fail(label);
      if (given.humidity >= 1 && given.temperature > 10 && Number.isNaN(dewPoint)) expect.fail(label);
      if (given.humidity === 0 && !Number.isNaN(dewPoint)) expect.fail(label);
    }
  });

  it('the same order where only a dew point is stored, and where it contradicts the humidity', () => {
    fc.assert(
      fc.property(conditions, (given) => {
        const [dewPoint, wetBulb] = [derive('dew_point', given), derive('wet_bulb', given)];
        if (Number.isNaN(dewPoint) || Number.isNaN(wetBulb)) return true;
        return dewPoint <= wetBulb && wetBulb <= given.temperature;
      }),
      { numRuns: 1000, examples: [[SATURATED]] },
    );
  });

  it('dew point, wet bulb, frost point, absolute humidity and mixing ratio rise with humidity', () => {
    for (const temperature of TEMPERATURES)
      for (const pressure of PRESSURES)
        for (const name of ['dew_point', 'wet_bulb', 'frost_point', 'absolute_humidity', 'mixing_ratio'])
          rises(
            HUMIDITIES.map((humidity) => derive(name, { temperature, humidity, pressure })),
            `${name}, ${temperature} °C, ${pressure} hPa`,
          );
  });

  it('dew point, wet bulb, humidex and potential temperature rise with temperature; density falls', () => {
    for (const humidity of HUMIDITIES)
      for (const pressure of PRESSURES)
        for (const name of ['dew_point', 'wet_bulb', 'humidex', 'potential_temperature', 'air_density']) {
          const values = TEMPERATURES.map((temperature) => derive(name, { temperature, humidity, pressure }));
          const label = `${name}, ${humidity} %, ${pressure} hPa`;
          rises(name === 'air_density' ? values.map((value) => -value) : values, label);
        }
  });

  it('humidex is at least the air temperature or null, a wind chill at most; it falls with wind', () => {
    for (const { temperature, humidity } of grid()) {
      const humidex = derive('humidex', { temperature, humidity });
      if (humidex < temperature) expect.fail(`${temperature} °C, ${humidity} %: ${humidex}`);
    }
    for (const temperature of range(-80, 10, 2.5)) {
      const chills = range(0, 40, 0.5).map((windSpeed) => derive('wind_chill', { temperature, windSpeed }));
      if (chills.some((chill) => chill > temperature)) expect.fail(`${temperature} °C: ${chills.join(' ')}`);
      // The formulas below and above 5 km/h differ by up to 0.1 °C where they meet.
      rises(
        chills.map((chill) => -chill),
        `${temperature} °C`,
      );
    }
  });

  it('humidex and apparent temperature have values in their published ranges, and none beyond', () => {
    for (const { temperature, humidity } of grid()) {
      const humidex = derive('humidex', { temperature, humidity });
      const apparent = derive('apparent_temperature', { temperature, humidity, windSpeed: 2 });
      const dewPoint = derive('dew_point', { temperature, humidity });
      const label = `${temperature} °C, ${humidity} %: ${humidex}, ${apparent}`;
      const isWarm = temperature >= 20 && temperature <= 43;
      if (humidex > 58.5 || (!isWarm && !Number.isNaN(humidex))) expect.fail(label);
      // Dew points that occur on earth.
      if (isWarm && dewPoint >= 8 && dewPoint <= 29 && Number.isNaN(humidex)) expect.fail(label);
      const isModeled = temperature >= -40 && temperature <= 50;
      if (apparent > 64.5 || (!isModeled && !Number.isNaN(apparent))) expect.fail(label);
      if (isModeled && !(dewPoint > 34) && Number.isNaN(apparent)) expect.fail(label);
    }
  });

  it('UTCI rises with the mean radiant temperature, over the whole range of its polynomial', () => {
    let known = 0;
    for (const temperature of range(-50, 50, 2.5))
      for (const wind of [0.5, 1, 2, 4, 8, 12, 17])
        for (const vapor of [0, 0.2, 0.5, 0.8, 1]) {
          const pressure = vapor * saturationVaporPressure(temperature);
          const values = range(-10, 70, 5).map((warmer) =>
            utciOf(temperature, temperature + warmer, wind, pressure),
          );
          rises(values, `${temperature} °C, ${wind} m/s, ${pressure} hPa`);
          known += values.filter((value) => value > -95 && value < 90).length;
          expect(values.every((value) => Number.isNaN(value) === pressure > 50)).to.equal(true);
        }
    expect(known).to.be.above(20_000);
  });

  it('wind that is measured lower is stronger at 10 m, and the same at the height of the formula', () => {
    const names = ['wind_chill', 'apparent_temperature', 'wet_bulb_globe_temperature'];
    for (const name of [...names, 'universal_thermal_climate_index'])
      for (const temperature of [-5, 5, 25]) {
        const noon = {
          time: Date.UTC(2024, 5, 21, 12),
          latitude: 45,
          longitude: 0,
          elevation: 0,
          radiation: 700,
        };
        const values = [1, 2, 3, 6, 10, 20, 60].map((windHeight) =>
          derive(name, { ...noon, temperature, humidity: 50, windSpeed: 5, windHeight }),
        );
        rises(values, `${name}, ${temperature} °C`);
        const isComputed = name !== 'wind_chill' || temperature < 10;
        if (isComputed) expect(values[0], name).to.be.below(values[6] as number);
      }
  });

  it('each quantity has a value up to the bounds of its range, and none beyond', () => {
    const usual = {
      time: Date.UTC(2024, 5, 21, 12),
      windSpeed: 3,
      radiation: 600,
      elevation: 100,
      latitude: 50,
      longitude: 0,
    };
    const warm = { ...usual, temperature: 25, temperatureBefore: 25, humidity: 50, pressure: 1000 };
    const cold = { ...warm, temperature: -5 };
    const bases: Readonly<Record<string, typeof warm>> = {
      frost_point: cold,
      wind_chill: cold,
      heat_index: { ...warm, temperature: 30, humidity: 20 },
    };
    const air = { temperature: [-45, 60], humidity: [0, 100], dewPoint: [-Infinity, 25.05] };
    const station = { pressure: [500, 1100] };
    const bounds: Readonly<Record<string, Partial<Record<keyof QuantityInputs, readonly number[]>>>> = {
      // Dew points over water at frost points of -65 °C and at the air temperature of -5 °C.
      frost_point: { dewPoint: [-69.3473, -4.95], humidity: [0.1279, 100] },
      dew_point: { temperature: [-38.4384, 60], humidity: [0.3535, 100] },
      wet_bulb: { ...air, ...station },
      vapour_pressure_deficit: { temperature: air.temperature, humidity: air.humidity },
      absolute_humidity: air,
      mixing_ratio: { ...air, ...station },
      heat_index: { temperature: [26.6667, 50], humidity: [0, 100] },
      humidex: { temperature: [20, 41.426], humidity: [31.6008, 100] },
      wind_chill: { temperature: [-80, 10], windSpeed: [0, Infinity] },
      apparent_temperature: { temperature: [-40, 48.1568], humidity: air.humidity, windSpeed: [0, 20] },
      wet_bulb_globe_temperature: {
        ...station,
        temperature: [-10, 60],
        windSpeed: [0, 40],
        radiation: [-4, 1600],
      },
      universal_thermal_climate_index: {
        temperature: [-45, 45.8344],
        windSpeed: [0.5, 17],
        radiation: [-4, 1600],
      },
      sea_level_pressure: { ...air, ...station, elevation: [-500, 750] },
      // The mean of both temperatures.
      sea_level_pressure_12h: { temperatureBefore: [-115, 95], ...station, elevation: [-500, 750] },
      altimeter_setting: station,
      air_density: { ...air, ...station },
      potential_temperature: { ...station, temperature: [-80, 60] },
    };
    const isKnown = (name: string, input: string, value: number) => {
      const base = bases[name] ?? warm;
      return !Number.isNaN(derive(name, { ...base, [input]: value }));
    };
    for (const [name, inputs] of Object.entries(bounds))
      for (const [input, [low = NaN, high = NaN]] of Object.entries(inputs)) {
        // More than the rounding of the bounds above.
        const step = 0.0002;
        const places = [low + step, high - step, low - step, high + step].filter(Number.isFinite);
        const found = places.map((value) => isKnown(name, input, value));
        const expected = places.map((value) => value > low && value < high);
        expect(found, `${name} by ${input}`).to.deep.equal(expected);
        for (const bound of [low, high].filter(Number.isInteger))
          expect(isKnown(name, input, bound), `${name}, ${input} = ${bound}`).to.equal(true);
      }
    // From 0 °C on there is no frost, and there is at 0 °C itself.
    const frosts = [0, 0.0001].map((dewPoint) => derive('frost_point', { temperature: 5, dewPoint }));
    expect(frosts).to.deep.equal([0, NaN]);
    const frostPointOf = (temperature: number) =>
      derive('frost_point', {
        temperature,
        dewPoint: saturationTemperature(saturationVaporPressure(-65 + 1e-9, 'ice')),
      });
    expect([-45.01, -45, 60, 60.01].map((temperature) => frostPointOf(temperature).toFixed(6))).to.deep.equal(
      ['NaN', '-65.000000', '-65.000000', 'NaN'],
    );
  });

  it('no result is infinite or impossible, whatever the conditions', () => {
    const limits: Readonly<Record<string, readonly [number, number]>> = {
      dew_point: [-90, 70],
      vapour_pressure_deficit: [0, 25],
      absolute_humidity: [0, 140],
      mixing_ratio: [0, 450],
      heat_index: [-273.15, 58.34],
      humidex: [20, 58.5],
      // 50 °C and 56 hPa without wind; -40 °C and 20 m/s.
      apparent_temperature: [-58, 64.5],
      universal_thermal_climate_index: [-95, 90],
      altimeter_setting: [490, 3500],
      sea_level_pressure: [480, 1300],
      air_density: [0.4, 1.8],
      estimated_cloud_base: [0, 20_000],
    };
    fc.assert(
      fc.property(conditions, (given) => {
        for (const { name } of DERIVED) {
          const value = derive(name, given);
          const [min, max] = limits[name] ?? [-300, 2000];
          if (!Number.isNaN(value) && !(value >= min && value <= max)) expect.fail(`${name}: ${value}`);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
