import { expect } from 'chai';
import { recheckRange, type Neighbor } from '#domain/weather/quality/recheck-range.js';
import { NO_RULES, type StationRules } from '#domain/weather/quality/station-rules.js';
import { checksOf, type Series } from '#domain/weather/series.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import { ALL, HOUR, MINUTE, START } from './made-series.js';

/** Mean, daily swing, noise from row to row, and size of planted faults, of each variable. */
const MADE: Readonly<Record<number, readonly [mean: number, swing: number, noise: number, fault: number]>> = {
  [V.temperature]: [12, 6, 0.4, 25],
  [V.dewPoint]: [8, 1, 0.4, 20],
  [V.humidity]: [70, 15, 2, 60],
  [V.seaLevelPressure]: [1013, 1, 0.3, 30],
  [V.pressure]: [1000, 1, 0.3, 30],
  [V.windSpeed]: [5, 2, 1.5, 40],
  [V.gust]: [9, 3, 2, 40],
  [V.windDirection]: [180, 60, 20, 180],
  [V.precipitation]: [0, 0.3, 0.4, 60],
  [V.radiation]: [250, 280, 60, 900],
};

/** Numbers from 0 to 1 by a linear congruential generator. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

/** Weather with spikes, steps, stuck and absent values of many sizes. Rows are sometimes late or missing. */
function madeSeries(seed: number, interval: number, rows: number, faults: number): Series {
  const random = numbers(seed);
  let time = START;
  const times = Float64Array.from({ length: rows }, () => {
    time += random() < 0.02 ? interval * Math.ceil(8 * random()) : interval;
    return time;
  });
  const columns = Object.entries(MADE).map(([variable, [mean, swing, noise, fault]]) => {
    let drift = 0;
    let level = 0;
    let stuck = 0;
    const column = new Float64Array(rows);
    for (let row = 0; row < rows; row += 1) {
      const hours = (times[row] as number) / HOUR;
      drift = 0.98 * drift + noise * (random() - 0.5);
      if (random() < faults / 2) level = random() < 0.5 ? 0 : fault * (random() - 0.5);
      if (random() < faults / 2) stuck = Math.ceil(60 * random());
      const spike = random() < faults ? fault * (random() - 0.5) : 0;
      const value = mean + swing * Math.sin(((hours - 9) * Math.PI) / 12) + drift + level + spike;
      stuck -= 1;
      column[row] = stuck > 0 && row > 0 ? (column[row - 1] as number) : Math.round(10 * value) / 10;
      if (random() < 0.01) column[row] = Number.NaN;
    }
    const least = Number(variable) === V.precipitation || Number(variable) === V.radiation ? 0 : -Infinity;
    return [Number(variable), column.map((value) => Math.max(least, value))] as const;
  });
  return { times, values: new Map(columns), flags: new Map() };
}

/** `check count` of each variable with flags, and a sum over the places of all flags. */
function countFlags(
  series: Series,
  rules: StationRules,
  neighbors: readonly Neighbor[],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [variable, bytes] of recheckRange(series, ALL, rules, neighbors)) {
    const counts = new Map<string, number>();
    let places = 0;
    for (const [row, flags] of bytes.entries()) {
      for (const check of checksOf(flags)) counts.set(check, (counts.get(check) ?? 0) + 1);
      if (flags !== 0) places = (places * 31 + row * 256 + flags) % 1_000_003;
    }
    const sorted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    if (sorted.length > 0)
      found[variableNumbered(variable).name] =
        `${sorted.map(([check, count]) => `${check} ${count}`).join(', ')}; ${places}`;
  }
  return found;
}

const PLACE = { latitude: 48, longitude: 11 };
const RULES: StationRules = { ...NO_RULES, position: PLACE };

/** The flags of each case. A change of a rule changes them, and is meant to. */
const PINNED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hours: {
    air_temperature: 'internal_consistency 1165, persistence 877, spike 18, step 109; 945720',
    dew_point_temperature: 'internal_consistency 2367, persistence 405, spike 25, step 5; 973053',
    relative_humidity:
      'gross_range 246, internal_consistency 1202, persistence 1122, spike 7, step 1; 742238',
    surface_air_pressure: 'persistence 1173, spike 52, step 122; 651068',
    air_pressure_at_mean_sea_level: 'persistence 905, spike 55, step 168; 58507',
    wind_speed: 'gross_range 2009, internal_consistency 542, persistence 616, spike 18, step 6; 287023',
    wind_from_direction: 'gross_range 9, persistence 245; 776340',
    wind_speed_of_gust: 'gross_range 1074, internal_consistency 543; 210859',
    surface_downwelling_shortwave_flux_in_air:
      'gross_range 1424, internal_consistency 336, persistence 204; 573401',
  },
  'ten minutes': {
    air_temperature: 'internal_consistency 1743, spike 15, step 475; 800344',
    dew_point_temperature: 'internal_consistency 5309, spike 15, step 1; 622761',
    relative_humidity: 'gross_range 191, internal_consistency 3566, spike 11, step 73; 820252',
    surface_air_pressure: 'spike 22, step 286; 671283',
    air_pressure_at_mean_sea_level: 'spike 26, step 264; 440293',
    wind_speed: 'gross_range 2221, internal_consistency 1200, spike 19; 457996',
    wind_from_direction: 'gross_range 25; 68327',
    wind_speed_of_gust: 'gross_range 1064, internal_consistency 1207; 832785',
    surface_downwelling_shortwave_flux_in_air: 'gross_range 2812, internal_consistency 632; 393466',
  },
  minutes: {
    air_temperature: 'internal_consistency 1870, spike 1; 57993',
    dew_point_temperature: 'internal_consistency 5669, spike 4; 290500',
    relative_humidity: 'gross_range 622, internal_consistency 3799, spike 2, step 33; 748911',
    surface_air_pressure: 'spike 5; 193648',
    air_pressure_at_mean_sea_level: 'spike 2, step 36; 798562',
    wind_speed: 'gross_range 1658, internal_consistency 2093, spike 16, step 497; 197812',
    wind_speed_of_gust: 'gross_range 575, internal_consistency 2103; 373166',
    surface_downwelling_shortwave_flux_in_air: 'gross_range 3061, internal_consistency 431; 933768',
  },
  'no known interval': {
    air_temperature: 'internal_consistency 2039, spike 3, step 1; 13039',
    dew_point_temperature: 'internal_consistency 4020, spike 1, step 1; 950239',
    relative_humidity: 'gross_range 191, internal_consistency 1981, spike 2, step 104; 39198',
    surface_air_pressure: 'spike 8, step 15; 137372',
    air_pressure_at_mean_sea_level: 'spike 7, step 212; 783335',
    wind_speed: 'gross_range 894, internal_consistency 1043, spike 20, step 493; 990488',
    wind_from_direction: 'gross_range 21; 333817',
    wind_speed_of_gust: 'gross_range 589, internal_consistency 1050; 414793',
    surface_downwelling_shortwave_flux_in_air: 'gross_range 2237, internal_consistency 465; 672184',
  },
  neighbors: {
    air_temperature:
      'internal_consistency 480, persistence 415, spatial_consistency 293, spike 16, step 22; 141800',
    dew_point_temperature:
      'internal_consistency 948, persistence 406, spatial_consistency 16, spike 10, step 16; 964495',
    relative_humidity:
      'gross_range 158, internal_consistency 468, persistence 784, spatial_consistency 1, spike 4; 735937',
    surface_air_pressure: 'persistence 614, spike 37, step 109; 346163',
    air_pressure_at_mean_sea_level: 'persistence 545, spatial_consistency 203, spike 33, step 81; 782544',
    wind_speed: 'gross_range 454, internal_consistency 495, persistence 151, spike 13, step 41; 538300',
    wind_from_direction: 'gross_range 4, persistence 303; 679624',
    wind_speed_of_gust: 'gross_range 548, internal_consistency 499; 73061',
    surface_downwelling_shortwave_flux_in_air:
      'gross_range 681, internal_consistency 125, persistence 143; 949701',
  },
  'own steps and persistence': {
    air_temperature: 'gross_range 199, internal_consistency 809, persistence 545, spike 23, step 167; 79755',
    dew_point_temperature: 'internal_consistency 1966, spike 4, step 1; 530119',
    relative_humidity: 'gross_range 193, internal_consistency 1157, spike 6, step 116; 798501',
    surface_air_pressure: 'spike 17, step 54; 316078',
    air_pressure_at_mean_sea_level: 'spike 13, step 69; 813516',
    wind_speed: 'gross_range 602, internal_consistency 538, spike 13, step 44; 533544',
    wind_from_direction: 'gross_range 3; 408597',
    wind_speed_of_gust: 'gross_range 101, internal_consistency 541; 505709',
    surface_downwelling_shortwave_flux_in_air: 'gross_range 1348, internal_consistency 280; 497202',
  },
};

describe('the flags of series with faults of every size', () => {
  const cases: Readonly<Record<string, () => Record<string, string>>> = {
    hours: () => countFlags(madeSeries(1, HOUR, 6000, 0.02), { ...RULES, reportingInterval: 3600 }, []),
    'ten minutes': () =>
      countFlags(madeSeries(2, 10 * MINUTE, 9000, 0.01), { ...RULES, reportingInterval: 600 }, []),
    minutes: () => countFlags(madeSeries(3, MINUTE, 9000, 0.01), { ...RULES, reportingInterval: 60 }, []),
    'no known interval': () => countFlags(madeSeries(4, 5 * MINUTE, 6000, 0.02), RULES, []),
    neighbors: () => {
      const near = (seed: number, distance: number, higher: number | null): Neighbor => ({
        distance,
        higher,
        series: madeSeries(seed, HOUR, 3000, 0.002),
        rules: { ...RULES, reportingInterval: 3600 },
      });
      const stations = [
        near(11, 2000, 5),
        near(12, 9000, -60),
        near(13, 25_000, 150),
        near(14, 40_000, 20),
        near(15, 60_000, null),
      ];
      return countFlags(madeSeries(10, HOUR, 3000, 0.02), { ...RULES, reportingInterval: 3600 }, stations);
    },
    'own steps and persistence': () =>
      countFlags(
        madeSeries(5, 10 * MINUTE, 4000, 0.02),
        {
          ...RULES,
          reportingInterval: 600,
          limits: new Map([[V.temperature, { min: 0, max: 25 }]]),
          steps: new Map([[V.temperature, { perMinute: 1, perHour: 4 }]]),
          persistence: new Map([[V.temperature, HOUR]]),
        },
        [],
      ),
  };
  for (const [name, flagsOf] of Object.entries(cases))
    it(`are the same in every version with the same rules: ${name}`, () => {
      expect(flagsOf()).to.deep.equal(PINNED[name]);
    });
});
