import { universalThermalClimateIndex } from '../derived/comfort/utci.js';
import { wetBulbGlobeTemperature } from '../derived/comfort/wet-bulb-globe.js';
import { CONDITIONS, conditionsAt } from './hour-conditions.js';
import { type IndexRow, localDays, rowsOf } from './index-rows.js';
import type { IndexHours, IndexOfHours } from './station-index.js';

/** Regions of the US National Weather Service, by how much heat their people are used to. */
export const HEAT_REGIONS = ['cool', 'moderate', 'hot'] as const;
export type HeatRegion = (typeof HEAT_REGIONS)[number];

export interface HeatStressOptions {
  readonly region: HeatRegion;
}

/** Lowest wet bulb globe temperature of each level in °F, by region: US National Weather Service, WBGT categories. */
const LEVELS: Readonly<Record<HeatRegion, readonly number[]>> = {
  cool: [76.1, 81, 84.2, 86.2],
  moderate: [79.8, 84.6, 87.7, 89.8],
  hot: [82, 87, 90, 92],
};
const LEVEL_NAMES = ['none', 'low', 'moderate', 'high', 'extreme'] as const;

/** UTCI in °C between two classes of stress: Bröde et al. (2012), table of the assessment scale. */
const UTCI_BOUNDS = [-40, -27, -13, 0, 9, 26, 32, 38, 46] as const;
/** A temperature in the class without stress, °C. */
const MIDDLE = 20;
const UTCI_CLASSES = [
  'extreme_cold_stress',
  'very_strong_cold_stress',
  'strong_cold_stress',
  'moderate_cold_stress',
  'slight_cold_stress',
  'no_thermal_stress',
  'moderate_heat_stress',
  'strong_heat_stress',
  'very_strong_heat_stress',
  'extreme_heat_stress',
] as const;

const TEXT = {
  name: 'heat-stress',
  title: 'Heat stress of people outside',
  source:
    'wet bulb globe temperature and UTCI as in `derived`; levels of the wet bulb globe temperature: US National Weather Service, by region; classes of the UTCI: Bröde et al. (2012), Int. J. Biometeorol. 56',
  leadDays: 0,
  hasStart: false,
  reads: 'hours',
  inputs: CONDITIONS,
} as const satisfies Partial<IndexOfHours<unknown>>;

const COLUMNS = [
  { name: 'wet_bulb_globe_temperature', unit: '°C', decimals: 1, description: 'wet bulb globe temperature' },
  {
    name: 'wet_bulb_globe_level',
    unit: '1',
    decimals: 0,
    description: 'level of the wet bulb globe temperature in the region',
    classes: LEVEL_NAMES,
  },
  { name: 'universal_thermal_climate_index', unit: '°C', decimals: 1, description: 'UTCI' },
  { name: 'thermal_stress', unit: '1', decimals: 0, description: 'class of the UTCI', classes: UTCI_CLASSES },
] as const;

export const heatStressOfHours: IndexOfHours<HeatStressOptions> = {
  ...TEXT,
  rule: 'the inputs of both quantities are known and in range for the hour',
  columns: COLUMNS,
  gives: 'hours',
  compute: (hours, options) =>
    rowsOf(
      COLUMNS,
      Array.from(hours.starts, (_start, hour) => rowFor([stressAt(hours, hour)], options)),
    ),
};

export const heatStressOfDays: IndexOfHours<HeatStressOptions> = {
  ...TEXT,
  rule: 'the inputs of both quantities are known and in range for each hour of the day',
  columns: COLUMNS.map((column) => ({
    ...column,
    description: `${column.description}: the highest of the hours`,
  })),
  gives: 'days',
  compute: (hours, options) =>
    rowsOf(
      COLUMNS,
      localDays(hours.dates).map(({ from, to }) =>
        rowFor(
          Array.from({ length: to - from }, (_, hour) => stressAt(hours, from + hour)),
          options,
        ),
      ),
    ),
};

interface Stress {
  /** Wet bulb globe temperature, °C. */
  readonly globe: number;
  /** UTCI, °C. */
  readonly climate: number;
}

function stressAt(hours: IndexHours, hour: number): Stress {
  const conditions = conditionsAt(hours, hour);
  return {
    globe: wetBulbGlobeTemperature.compute(conditions),
    climate: universalThermalClimateIndex.compute(conditions),
  };
}

function rowFor(stresses: readonly Stress[], { region }: HeatStressOptions): IndexRow {
  const known = stresses.filter(({ globe, climate }) => !Number.isNaN(globe + climate));
  const highest = (values: readonly number[]) =>
    values.filter((value) => !Number.isNaN(value)).reduce((most, value) => Math.max(most, value), -Infinity);
  const [globe, climate] = [
    highest(stresses.map((one) => one.globe)),
    highest(stresses.map((one) => one.climate)),
  ].map((value) => (Number.isFinite(value) ? value : Number.NaN)) as [number, number];
  const missing = stresses.length - known.length;
  return {
    values: [globe, wetBulbGlobeLevel(globe, region), climate, thermalStress(climate)],
    missing,
    valid: missing === 0,
  };
}

/** Place of the level in `none`, `low`, `moderate`, `high`, `extreme`; NaN if unknown. @param temperature °C */
export function wetBulbGlobeLevel(temperature: number, region: HeatRegion): number {
  const fahrenheit = temperature * 1.8 + 32;
  if (Number.isNaN(fahrenheit)) return Number.NaN;
  return LEVELS[region].filter((bound) => fahrenheit >= bound).length;
}

/** Place of the class of thermal stress, from extreme cold stress (0) to extreme heat stress (9); NaN if unknown. @param utci °C */
export function thermalStress(utci: number): number {
  // A bound belongs to the milder of its two classes.
  const isBeyond = (bound: number) => (bound > MIDDLE ? utci > bound : utci >= bound);
  return Number.isNaN(utci) ? Number.NaN : UTCI_BOUNDS.filter(isBeyond).length;
}
