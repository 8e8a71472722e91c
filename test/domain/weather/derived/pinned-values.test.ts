import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { DERIVED } from '#domain/weather/derived/quantities.js';
import type { QuantityInputs } from '#domain/weather/derived/quantity.js';

/** Numbers from 0 to 1, the same everywhere. */
function random(name: string, index: number): number {
  return createHash('md5').update(`${name} ${index}`).digest().readUInt32LE(0) / 2 ** 32;
}

/** Conditions of all seasons, some of them beyond the ranges of the formulas, and without some of the inputs. */
function conditionsOf(index: number): QuantityInputs {
  const between = (name: string, min: number, max: number) => min + (max - min) * random(name, index);
  const sometimes = (name: string, share: number, value: number) =>
    random(`${name}?`, index) < share ? value : Number.NaN;
  const temperature = between('temperature', -55, 62);
  const cold = temperature - between('dew point', -0.1, 30);
  return {
    time: Date.UTC(2024, 0, 1) + Math.floor(between('time', 0, 366 * 24)) * 3_600_000,
    temperature,
    temperatureBefore: temperature + between('before', -10, 10),
    dewPoint: sometimes('dew point', 0.4, cold),
    humidity: sometimes('humidity', 0.8, between('humidity', 0, 101)),
    pressure: sometimes('pressure', 0.7, between('pressure', 490, 1105)),
    seaLevelPressure: sometimes('sea level', 0.7, between('sea level', 950, 1050)),
    windSpeed: between('wind', 0, index % 2 === 0 ? 6 : 42),
    windHeight: between('height', 1, 20),
    radiation: between('radiation', -20, 1200),
    pm2p5: between('fine particles', -5, 400),
    pm10: between('particles', -5, 700),
    elevation: between('elevation', -100, 1200),
    latitude: between('latitude', -80, 80),
    longitude: between('longitude', -180, 180),
  };
}

/** Of 2,000 values: how many are known, and a digest of their first seven digits. */
const PINNED: Readonly<Record<string, string>> = {
  dew_point: '1550 0a184780',
  frost_point: '870 d24f4b79',
  wet_bulb: '1533 d4e13b91',
  vapour_pressure_deficit: '1548 b9ee7c08',
  absolute_humidity: '1558 a353a2da',
  mixing_ratio: '1533 35284ac6',
  heat_index: '234 837ed7bb',
  humidex: '235 0b14e036',
  wind_chill: '1091 9c0de0fc',
  apparent_temperature: '911 c9212c0a',
  wind_chill_or_heat_index: '1641 224af129',
  wind_chill_or_humidex: '1598 c68d092f',
  wet_bulb_globe_temperature: '974 b054653d',
  universal_thermal_climate_index: '674 9e8aacdf',
  sea_level_pressure: '1587 8508d1e3',
  sea_level_pressure_12h: '680 57d1657f',
  altimeter_setting: '1327 2eb4629c',
  air_density: '1256 13999abb',
  potential_temperature: '1526 65194fe1',
  estimated_cloud_base: '986 d8486e84',
  delta_t: '1533 7bab8151',
  us_aqi_pm2p5: '1972 d553b884',
  us_aqi_pm10: '1984 c472daae',
};

describe('derived quantities of any conditions', () => {
  const all = Array.from({ length: 2000 }, (_, index) => conditionsOf(index));

  for (const quantity of DERIVED)
    it(`are the same numbers in every version with the same formula: ${quantity.name}`, () => {
      const values = all
        .map((conditions) => quantity.compute(conditions))
        .map((value) => (Number.isNaN(value) ? '-' : value.toPrecision(7)));
      const known = values.filter((value) => value !== '-').length;
      const digest = createHash('sha256').update(values.join()).digest('hex').slice(0, 8);
      expect(`${known} ${digest}`).to.equal(PINNED[quantity.name]);
    });
});
