import { wetBulb } from '../derived/humidity/wet-bulb.js';
import { sineOfAltitude, sunAt } from '../derived/solar.js';
import { windAtTwoMeters } from '../derived/wind-profile.js';
import { CONDITIONS, conditionsAt } from './hour-conditions.js';
import { type IndexRow, rowsOf } from './index-rows.js';
import type { IndexHours, IndexOfHours } from './station-index.js';

/** Largest number of hours after spraying that must be dry. */
export const MAX_DRY_HOURS = 6;

export interface SprayOptions {
  /** Hours after spraying without rain, at most `MAX_DRY_HOURS`. */
  readonly dryHours: number;
}

/** Limits of a good and of a bad hour. */
const LIMITS = {
  /** Difference of the temperature and the wet bulb, °C. */
  deltaT: { low: 2, high: 8, worst: 10 },
  /** Wind at 2 m, km/h. */
  wind: { low: 3, high: 15 },
  /** Temperature, °C. */
  temperature: { high: 28, worst: 30 },
} as const;

const RATINGS = ['good', 'marginal', 'bad'] as const;
const REASONS = ['none', 'delta_t', 'wind', 'rain', 'temperature', 'inversion'] as const;
const KILOMETERS_AN_HOUR = 3.6;

export const spray: IndexOfHours<SprayOptions> = {
  name: 'spray',
  title: 'Hours for spraying',
  source:
    'Delta T, wind and inversions: Grains Research and Development Corporation (Australia), Spray Application Manual (2017); the wet bulb is that of `derived`, wind at 2 m',
  rule: 'temperature, humidity, wind and rain of the hour are known; a rain after it counts as far as it is known',
  columns: [
    {
      name: 'delta_t',
      unit: '°C',
      isDifference: true,
      decimals: 2,
      description: 'difference of the temperature and the wet bulb',
    },
    { name: 'wind_speed_2m', unit: 'm/s', decimals: 1, description: 'wind at 2 m' },
    {
      name: 'rain_after',
      unit: 'mm',
      decimals: 2,
      description: 'rain of the hours after it that must be dry',
    },
    { name: 'rating', unit: '1', decimals: 0, description: 'rating of the hour', classes: RATINGS },
    {
      name: 'reason',
      unit: '1',
      decimals: 0,
      description: 'what makes the hour no good one',
      classes: REASONS,
    },
  ],
  leadDays: 0,
  followingHours: MAX_DRY_HOURS,
  hasStart: false,
  reads: 'hours',
  gives: 'hours',
  inputs: [...CONDITIONS, 'precipitation'],
  compute: (hours, { dryHours }) =>
    rowsOf(
      spray.columns,
      Array.from(hours.starts, (_start, hour): IndexRow => {
        const facts = factsAt(hours, hour, dryHours);
        const { rating, reason } = sprayRating(facts);
        const missing = Number(Number.isNaN(rating));
        const values = [facts.deltaT, facts.wind / KILOMETERS_AN_HOUR, facts.rainAfter, rating, reason];
        return { values, missing, valid: missing === 0 };
      }),
    ),
};

export interface SprayFacts {
  /** °C. */
  readonly temperature: number;
  /** °C. */
  readonly deltaT: number;
  /** km/h at 2 m. */
  readonly wind: number;
  /** mm in the hour. */
  readonly rain: number;
  /** mm in the hours after; NaN if unknown. */
  readonly rainAfter: number;
  readonly isNight: boolean;
}

function factsAt(hours: IndexHours, hour: number, dryHours: number): SprayFacts {
  const conditions = conditionsAt(hours, hour);
  const { time, temperature, longitude, latitude } = conditions;
  const rain = hours.of('precipitation');
  const after = Array.from(rain.subarray(hour + 1, hour + 1 + dryHours)).filter((one) => !Number.isNaN(one));
  return {
    temperature,
    deltaT: temperature - wetBulb.compute(conditions),
    wind: windAtTwoMeters(conditions.windSpeed, conditions.windHeight) * KILOMETERS_AN_HOUR,
    rain: rain[hour] as number,
    rainAfter: after.length === 0 ? Number.NaN : after.reduce((sum, one) => sum + one, 0),
    isNight: sineOfAltitude(sunAt(time, longitude), latitude) < 0,
  };
}

/** The rating of an hour, and its worst reason, as places in the lists of their columns; NaN if an input is unknown. */
export function sprayRating({ temperature, deltaT, wind, rain, rainAfter, isNight }: SprayFacts): {
  readonly rating: number;
  readonly reason: number;
} {
  if (Number.isNaN(temperature + deltaT + wind + rain)) return { rating: Number.NaN, reason: Number.NaN };
  const { deltaT: difference, wind: speed, temperature: heat } = LIMITS;
  const isCalm = wind < speed.low;
  const found: readonly (readonly [rating: number, reason: (typeof REASONS)[number]])[] = [
    [rain > 0 || rainAfter > 0 ? 2 : 0, 'rain'],
    [isCalm && isNight ? 2 : 0, 'inversion'],
    [wind > speed.high ? 2 : Number(isCalm), 'wind'],
    [deltaT > difference.worst ? 2 : Number(deltaT > difference.high || deltaT < difference.low), 'delta_t'],
    [temperature >= heat.worst ? 2 : Number(temperature >= heat.high), 'temperature'],
  ];
  const rating = Math.max(...found.map(([one]) => one));
  const reason = rating === 0 ? 'none' : (found.find(([one]) => one === rating)?.[1] ?? 'none');
  return { rating, reason: REASONS.indexOf(reason) };
}
