import { V, variableNumbered } from '../variables.js';
import { CONDITIONS, conditionsAt } from './hour-conditions.js';
import { type IndexRow, localDays, rowsOf } from './index-rows.js';
import { relativeHumidity } from '../derived/vapor.js';
import type { IndexColumn, IndexHours, IndexOfHours } from './station-index.js';

/** Corrections of the PM2.5 of low-cost sensors, which count too much in smoke and in damp air. */
export const PARTICLE_CORRECTIONS = ['none', 'epa_purpleair'] as const;
export type ParticleCorrection = (typeof PARTICLE_CORRECTIONS)[number];

/** Bands of the European index, by the year of their publication. */
export const EUROPEAN_BANDS = ['2024', '2020'] as const;
export type EuropeanBands = (typeof EUROPEAN_BANDS)[number];

export interface AirQualityOptions {
  readonly correction: ParticleCorrection;
  readonly european: EuropeanBands;
}

export const PARTICLES = ['pm2p5', 'pm10'] as const;
export type Particles = (typeof PARTICLES)[number];

const CONCENTRATION = variableNumbered(V.pm2p5).unit;

/** A part of the scale: concentrations in µg/m³ and values of the index, bounds included. */
type Breakpoint = readonly [low: number, high: number, lowIndex: number, highIndex: number];

/** The scale of the US index: EPA, 40 CFR part 58, appendix G, as of May 2024. Concentrations have steps of `step` µg/m³. */
const US: Readonly<
  Record<Particles, { readonly step: number; readonly breakpoints: readonly Breakpoint[] }>
> = {
  pm2p5: {
    step: 0.1,
    breakpoints: [
      [0, 9, 0, 50],
      [9.1, 35.4, 51, 100],
      [35.5, 55.4, 101, 150],
      [55.5, 125.4, 151, 200],
      [125.5, 225.4, 201, 300],
      [225.5, 325.4, 301, 500],
    ],
  },
  pm10: {
    step: 1,
    breakpoints: [
      [0, 54, 0, 50],
      [55, 154, 51, 100],
      [155, 254, 101, 150],
      [255, 354, 151, 200],
      [355, 424, 201, 300],
      [425, 604, 301, 500],
    ],
  },
};
const US_MAXIMUM = 500;
/** Highest value of each category of the US index but the last. */
const US_BOUNDS = [50, 100, 150, 200, 300] as const;
const US_CATEGORIES = [
  'good',
  'moderate',
  'unhealthy_for_sensitive_groups',
  'unhealthy',
  'very_unhealthy',
  'hazardous',
] as const;

/** Highest concentration of each level of the European index but the last, µg/m³: European Environment Agency. */
const EUROPEAN: Readonly<Record<EuropeanBands, Readonly<Record<Particles, readonly number[]>>>> = {
  '2024': { pm2p5: [5, 15, 50, 90, 140], pm10: [15, 45, 120, 195, 270] },
  '2020': { pm2p5: [10, 20, 25, 50, 75], pm10: [20, 40, 50, 100, 150] },
};
const EUROPEAN_LEVELS = ['good', 'fair', 'moderate', 'poor', 'very_poor', 'extremely_poor'] as const;

/** Smallest number of hours of a daily mean: EPA, 75 % of the day. */
const HOURS_OF_DAY = 18;
/** NowCast: number of hours, and the newest of them, of which at least two must be known. */
const NOWCAST = { hours: 12, newest: 3, known: 2, leastWeight: 0.5 } as const;

export const US_INDEX_SOURCE =
  'US air quality index: EPA, 40 CFR part 58, appendix G, with the breakpoints of May 2024';
const SOURCE = `${US_INDEX_SOURCE}; NowCast: EPA (2013); European index: bands of the European Environment Agency, by year; correction \`epa_purpleair\`: 0.524 PM2.5 - 0.0862 humidity + 5.75 (Barkjohn et al., 2021, Atmos. Meas. Tech. 14)`;

const US_COLUMNS: readonly IndexColumn[] = [
  {
    name: 'us_aqi',
    unit: '1',
    decimals: 0,
    description: 'index of the US EPA: the higher one of both particles',
  },
  { name: 'us_category', unit: '1', decimals: 0, description: 'its category', classes: US_CATEGORIES },
  {
    name: 'us_main_pollutant',
    unit: '1',
    decimals: 0,
    description: 'the particles that decide',
    classes: PARTICLES,
  },
];

export const airQualityOfHours: IndexOfHours<AirQualityOptions> = {
  name: 'air-quality',
  title: 'Air quality',
  source: SOURCE,
  rule: 'of each measured kind of particles two of the newest three hours are known',
  columns: [
    { name: 'pm2p5_nowcast', unit: CONCENTRATION, decimals: 1, description: 'NowCast of PM2.5' },
    { name: 'pm10_nowcast', unit: CONCENTRATION, decimals: 0, description: 'NowCast of PM10' },
    ...US_COLUMNS,
    {
      name: 'european_level',
      unit: '1',
      decimals: 0,
      description:
        'level of the European index: the worse one of both particles, in the hour (2024) or in 24 hours (2020)',
      classes: EUROPEAN_LEVELS,
    },
  ],
  leadDays: 1,
  hasStart: false,
  reads: 'hours',
  gives: 'hours',
  inputs: [...CONDITIONS, ...PARTICLES],
  compute: (hours, options) => {
    const particles = correctedParticles(hours, options.correction);
    const measured = measuredIn(particles);
    const rows = Array.from(hours.starts, (_start, hour): IndexRow => {
      const now = PARTICLES.map((kind) =>
        nowCast(particles[kind].subarray(Math.max(0, hour + 1 - NOWCAST.hours), hour + 1), US[kind].step),
      );
      const levels = PARTICLES.map((kind) =>
        europeanLevel(kind, europeanMean(particles[kind], hour, options.european), options.european),
      ).filter((level) => !Number.isNaN(level));
      const level = levels.length === 0 ? Number.NaN : Math.max(...levels);
      const missing = measured.filter((kind) => Number.isNaN(now[PARTICLES.indexOf(kind)])).length;
      return {
        values: [...now, ...usValues(now), level],
        missing,
        valid: measured.length > 0 && missing === 0,
      };
    });
    return rowsOf(airQualityOfHours.columns, rows);
  },
};

export const airQualityOfDays: IndexOfHours<AirQualityOptions> = {
  name: 'air-quality',
  title: 'Air quality',
  source: SOURCE,
  rule: `at least ${HOURS_OF_DAY} hours of each measured kind of particles are known`,
  columns: [
    { name: 'pm2p5_mean', unit: CONCENTRATION, decimals: 1, description: 'mean of PM2.5' },
    { name: 'pm10_mean', unit: CONCENTRATION, decimals: 0, description: 'mean of PM10' },
    ...US_COLUMNS,
  ],
  leadDays: 0,
  hasStart: false,
  reads: 'hours',
  gives: 'days',
  inputs: [...CONDITIONS, ...PARTICLES],
  compute: (hours, options) => {
    const particles = correctedParticles(hours, options.correction);
    const measured = measuredIn(particles);
    const rows = localDays(hours.dates).map(({ from, to }): IndexRow => {
      const means = PARTICLES.map((kind) => meanOfDay(particles[kind].subarray(from, to)));
      const missing = measured.reduce(
        (sum, kind) => sum + particles[kind].subarray(from, to).filter(Number.isNaN).length,
        0,
      );
      const isValid =
        measured.length > 0 && measured.every((kind) => !Number.isNaN(means[PARTICLES.indexOf(kind)]));
      return { values: [...means, ...usValues(means)], missing, valid: isValid };
    });
    return rowsOf(airQualityOfDays.columns, rows);
  },
};

type ParticleHours = Readonly<Record<Particles, Float64Array>>;

function correctedParticles(hours: IndexHours, correction: ParticleCorrection): ParticleHours {
  const [pm2p5, pm10] = [hours.of('pm2p5'), hours.of('pm10')];
  if (correction === 'none') return { pm2p5, pm10 };
  return {
    pm2p5: pm2p5.map((value, hour) => purpleAirCorrected(value, relativeHumidity(conditionsAt(hours, hour)))),
    pm10,
  };
}

/** Kinds of particles that any of the hours has. */
function measuredIn(particles: ParticleHours): readonly Particles[] {
  return PARTICLES.filter((kind) => particles[kind].some((value) => !Number.isNaN(value)));
}

/** PM2.5 of a PurpleAir sensor, corrected by the formula of the EPA, µg/m³. @param humidity % */
export function purpleAirCorrected(pm2p5: number, humidity: number): number {
  return Math.max(0, 0.524 * pm2p5 - 0.0862 * humidity + 5.75);
}

/** Index, category and main pollutant from the concentrations of `PARTICLES`. */
function usValues(concentrations: readonly number[]): readonly number[] {
  const values = PARTICLES.map((kind, at) => usIndex(kind, concentrations[at] as number));
  const known = values.filter((value) => !Number.isNaN(value));
  if (known.length === 0) return [Number.NaN, Number.NaN, Number.NaN];
  const most = Math.max(...known);
  return [most, US_BOUNDS.filter((bound) => most > bound).length, values.indexOf(most)];
}

/** Cuts a concentration to whole steps, as the EPA requires. */
function truncated(concentration: number, step: number): number {
  return Number((Math.floor(concentration / step + 1e-6) * step).toFixed(1));
}

/**
 * The US air quality index of a concentration, 0 to 500; NaN if it is unknown or negative.
 *
 * @param concentration µg/m³
 */
export function usIndex(kind: Particles, concentration: number): number {
  if (!(concentration >= 0)) return Number.NaN;
  const { step, breakpoints } = US[kind];
  const cut = truncated(concentration, step);
  const part = breakpoints.find(([, high]) => cut <= high);
  if (part === undefined) return US_MAXIMUM;
  const [low, high, lowIndex, highIndex] = part;
  return Math.round(((highIndex - lowIndex) / (high - low)) * (cut - low) + lowIndex);
}

/**
 * NowCast of the newest hours in µg/m³: a mean in which older hours count less, the less the more the concentration changes.
 *
 * @param hours at most twelve hours, the oldest first; NaN for unknown
 * @param step the result is cut to this step, µg/m³
 * @returns NaN if fewer than two of the newest three hours are known
 */
export function nowCast(hours: ArrayLike<number>, step: number): number {
  const newestFirst = Array.from(hours).toReversed();
  const known = newestFirst.filter((value) => !Number.isNaN(value));
  const newest = newestFirst.slice(0, NOWCAST.newest).filter((value) => !Number.isNaN(value));
  if (newest.length < NOWCAST.known) return Number.NaN;
  const most = Math.max(...known);
  const weight = most > 0 ? Math.max(NOWCAST.leastWeight, Math.min(...known) / most) : 1;
  let [sum, weights] = [0, 0];
  for (const [age, value] of newestFirst.entries()) {
    if (Number.isNaN(value)) continue;
    sum += weight ** age * value;
    weights += weight ** age;
  }
  return truncated(sum / weights, step);
}

/**
 * The concentration that the bands of a year judge, µg/m³: the hour itself for those of 2024, the mean of 24 hours for those of 2020.
 *
 * @returns NaN if it is unknown: with fewer than `HOURS_OF_DAY` known hours
 */
export function europeanMean(values: Float64Array, hour: number, bands: EuropeanBands): number {
  if (bands === '2024') return values[hour] as number;
  return meanOfDay(values.subarray(Math.max(0, hour - 23), hour + 1));
}

/** The mean of the known hours of a day; NaN if fewer than `HOURS_OF_DAY` are known. */
function meanOfDay(hours: Float64Array): number {
  const known = hours.filter((value) => !Number.isNaN(value));
  if (known.length < HOURS_OF_DAY) return Number.NaN;
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Place of the level in `good` to `extremely_poor`, from 0; NaN if the concentration is unknown. @param concentration µg/m³ */
export function europeanLevel(kind: Particles, concentration: number, bands: EuropeanBands): number {
  if (Number.isNaN(concentration)) return Number.NaN;
  return EUROPEAN[bands][kind].filter((bound) => concentration > bound).length;
}
