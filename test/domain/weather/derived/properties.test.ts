import { expect } from 'chai';
import fc from 'fast-check';
import { DERIVED } from '../../../../src/domain/weather/derived/quantities.js';
import type { Conditions } from '../../../../src/domain/weather/derived/quantity.js';
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
  radiation: fc.oneof(fc.constant(Number.NaN), fc.double({ min: -10, max: 1700 })),
  elevation: fc.oneof(fc.constant(Number.NaN), fc.double({ min: -500, max: 9000 })),
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
}) as fc.Arbitrary<Conditions>;

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
      { numRuns: 1000 },
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

  it('no result is infinite or impossible, whatever the conditions', () => {
    const limits: Readonly<Record<string, readonly [number, number]>> = {
      dew_point: [-90, 70],
      vapour_pressure_deficit: [0, 25],
      absolute_humidity: [0, 140],
      mixing_ratio: [0, 450],
      heat_index: [-273.15, 58.34],
      humidex: [20, 200],
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
