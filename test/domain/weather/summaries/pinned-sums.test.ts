import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { MILLISECONDS } from '#domain/time.js';
import { WindRose } from '#domain/weather/charts/wind-rose.js';
import type { Series } from '#domain/weather/series.js';
import { Summaries, type SummariesOptions } from '#domain/weather/summaries/summaries.js';
import { V, VARIABLES, variableNumbered } from '#domain/weather/variables.js';

const { minute, hour, day } = MILLISECONDS;
const START = Date.UTC(2024, 0, 1);
const DAYS = 12;

/** Numbers from 0 to 1 by a linear congruential generator. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

/** Mean, spread and step of the values of each variable. */
const MADE: Readonly<Record<number, readonly [number, number, number]>> = {
  [V.temperature]: [10, 20, 0.1],
  [V.windSpeed]: [4, 8, 0.5],
  [V.windDirection]: [180, 360, 10],
  [V.gust]: [8, 12, 0.5],
  [V.gustDirection]: [180, 360, 1],
  [V.precipitation]: [0, 2, 0.2],
  [V.radiation]: [200, 400, 1],
};

/** Rows at regular times with others between them, gaps, values that failed, and absent ones. */
function madeSeries(seed: number, interval: number, irregular: number): Series {
  const random = numbers(seed);
  const times: number[] = [];
  for (let time = START - hour; time < START + DAYS * day + hour; time += interval) {
    if (random() < 0.05) time += interval * Math.ceil(12 * random());
    times.push(time);
    if (random() < irregular) times.push(time + minute * Math.ceil((interval / minute - 1) * random()));
  }
  const column = ([mean, spread, step]: readonly [number, number, number]) =>
    Float64Array.from(times, () => {
      const value = Math.max(0, Math.round((mean + spread * (random() - 0.5)) / step) * step);
      return random() < 0.08 ? Number.NaN : value;
    });
  const values = new Map(Object.entries(MADE).map(([variable, made]) => [Number(variable), column(made)]));
  const flags = new Map(
    [...values.keys()].map((variable) => [variable, Uint8Array.from(times, () => (random() < 0.05 ? 2 : 0))]),
  );
  return { times: Float64Array.from(times), values, flags };
}

/** Numbers with nine digits, so that another order of additions is no other number. */
const digest = (value: unknown) =>
  createHash('sha256')
    .update(
      JSON.stringify(value, (_key, one: unknown) =>
        typeof one === 'number' ? (Number.isFinite(one) ? one.toPrecision(9) : String(one)) : one,
      ),
    )
    .digest('hex')
    .slice(0, 8);

function sumUp(series: Series, length: number, options: SummariesOptions): Record<string, string> {
  const buckets = Array.from({ length: (DAYS * day) / length }, (_, index) => ({
    start: START + index * length,
    end: START + (index + 1) * length,
  }));
  const summaries = new Summaries(buckets, options);
  summaries.add(series);
  return Object.fromEntries(
    summaries.variables.map((variable) => {
      const single = buckets.map((_bucket, index) => summaries.statistics(variable, index));
      const several = [0, 1, 2, 3].map((index) => summaries.statistics(variable, 3 * index, 3 * index + 3));
      return [variableNumbered(variable).name, digest([single, several])];
    }),
  );
}

/** A change of a rule changes them, and is meant to. */
const PINNED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'days of hours': {
    air_temperature: '20bbd3ac',
    wind_speed: 'd5203cdc',
    wind_from_direction: '06604e72',
    wind_speed_of_gust: '2cc06562',
    precipitation_amount: 'fc597e05',
    surface_downwelling_shortwave_flux_in_air: 'd91b4903',
    wind_gust_from_direction: 'a3771965',
  },
  'days of ten minutes, all values': {
    air_temperature: 'b009a6f0',
    wind_speed: '85b1e8d1',
    wind_from_direction: '43d305a3',
    wind_speed_of_gust: '1c0fe667',
    precipitation_amount: '6a7a1940',
    surface_downwelling_shortwave_flux_in_air: '8f8b8e45',
    wind_gust_from_direction: '5b19312d',
  },
  'days of an unknown interval': {
    air_temperature: 'a7e41346',
    wind_speed: 'd41082c0',
    wind_from_direction: 'f33cfdb5',
    wind_speed_of_gust: '87f0b301',
    precipitation_amount: '1d238a56',
    surface_downwelling_shortwave_flux_in_air: '7cd2d4f9',
    wind_gust_from_direction: '28d592c0',
  },
  'days with routine reports': {
    air_temperature: '518b7648',
    wind_speed: '33bc5eb8',
    wind_from_direction: '32fc98ca',
    wind_speed_of_gust: 'bbe48729',
    precipitation_amount: 'f09b9b18',
    surface_downwelling_shortwave_flux_in_air: 'b25d9c90',
    wind_gust_from_direction: '5ae2f13a',
  },
  'three hours of five minutes': {
    air_temperature: '6125680e',
    wind_speed: '7b0fd86f',
    wind_from_direction: '2a5cb51a',
    wind_speed_of_gust: 'a3fb48c2',
    precipitation_amount: 'dd20ab66',
    surface_downwelling_shortwave_flux_in_air: '1e6cbf42',
    wind_gust_from_direction: '1563df0f',
  },
  'hours of half hours': {
    air_temperature: '31899326',
    wind_speed: 'e3df8620',
    wind_from_direction: 'f42a75d8',
    wind_speed_of_gust: 'b30537df',
    precipitation_amount: '0dae1b82',
    surface_downwelling_shortwave_flux_in_air: '3825cce7',
    wind_gust_from_direction: '8a697d8d',
  },
  'days of reports every three hours': {
    air_temperature: '0203e5f3',
    wind_speed: '414057c0',
    wind_from_direction: 'a10f86e6',
    wind_speed_of_gust: 'f2d9e9c2',
    precipitation_amount: '153bcb77',
    surface_downwelling_shortwave_flux_in_air: '6d64727a',
    wind_gust_from_direction: '57463a5e',
  },
  'days whose values describe other times': {
    air_temperature: 'b595af48',
    wind_speed: '81942bfb',
    wind_from_direction: 'e8720db2',
    wind_speed_of_gust: '77fb0e21',
    precipitation_amount: 'c3a4d7d6',
    surface_downwelling_shortwave_flux_in_air: '2d8c14f6',
    wind_gust_from_direction: '7c431484',
  },
  'roses of the wind': { '8 sectors': '11a4ee5b', '16 sectors': 'a4996923', '36 sectors': 'f26abc5c' },
};

describe('the sums of irregular rows', () => {
  const cases: Readonly<Record<string, () => Record<string, string>>> = {
    'days of hours': () => sumUp(madeSeries(1, hour, 0), day, { reportingInterval: 3600 }),
    'days of ten minutes, all values': () =>
      sumUp(madeSeries(2, 10 * minute, 0), day, { reportingInterval: 600, includeAll: true }),
    'days of an unknown interval': () => sumUp(madeSeries(3, hour, 0.3), day, { reportingInterval: null }),
    'days with routine reports': () =>
      sumUp(madeSeries(4, hour, 0.3), day, { reportingInterval: null, routine: () => hour }),
    'three hours of five minutes': () =>
      sumUp(madeSeries(5, 5 * minute, 0), 3 * hour, { reportingInterval: 300 }),
    'hours of half hours': () => sumUp(madeSeries(6, 30 * minute, 0.1), hour, { reportingInterval: 1800 }),
    'days of reports every three hours': () =>
      sumUp(madeSeries(7, 3 * hour, 0), day, { reportingInterval: 10_800 }),
    'days whose values describe other times': () =>
      sumUp(madeSeries(8, hour, 0), day, {
        reportingInterval: 3600,
        station: {
          cellMethods: Object.fromEntries(
            VARIABLES.map(
              ({ name, cellMethod }) => [name, cellMethod === 'point' ? 'interval' : 'point'] as const,
            ),
          ),
        },
      }),
    'roses of the wind': () =>
      Object.fromEntries(
        [8, 16, 36].map((sectors) => {
          const rose = new WindRose(sectors, [2, 4, 6]);
          rose.add(madeSeries(9, hour, 0));
          return [`${sectors} sectors`, digest([rose.counts.map((counts) => [...counts]), rose.calms])];
        }),
      ),
  };
  for (const [name, sums] of Object.entries(cases))
    it(`are the same in every version with the same rules: ${name}`, () => {
      const found = sums();
      expect(found).to.deep.equal(PINNED[name]);
    });
});
