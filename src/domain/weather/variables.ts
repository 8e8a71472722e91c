import { MILLISECONDS } from '../time.js';

/** How the values of a variable are combined to one value of a longer interval. */
export type Aggregation = 'mean' | 'sum' | 'maximum' | 'direction';

/**
 * The time that a value describes, after `cell_methods` of the CF conventions. `point`: the instant of its time (temperature,
 * pressure). `interval`: the interval that ends at its time; the value is the mean, the maximum or the sum over it (gust, rain).
 */
export const CELL_METHODS = ['point', 'interval'] as const;
export type CellMethod = (typeof CELL_METHODS)[number];

/** Largest plausible change of a value in a given time, in the variable's unit. */
export interface StepLimit {
  readonly perMinute: number;
  readonly perHour: number;
}

/**
 * What a variable says about the values of another variable (`of` is its number).
 *
 * - `trace`: the value 1 marks an amount that was too small to be measured. The amount is 0.
 * - `days`: the value is the number of days that an amount of several days was collected in.
 */
export interface Mark {
  readonly of: number;
  readonly kind: 'trace' | 'days';
}

/** A quantity that stations observe, as an entry of the catalog of variables (`VARIABLES`). */
export interface Variable {
  /** The number never changes, because binary data refer to it. */
  readonly number: number;
  /**
   * CF standard name. `lightning_strike_count`, `leaf_wetness` and traces have no standard name; their names follow the same rules.
   * The name of a daily value is `daily_`, the method, and the standard name: `daily_maximum_air_temperature` is the
   * `air_temperature` with the cell method `time: maximum`.
   */
  readonly name: string;
  /** The unit of every stored value. */
  readonly unit: string;
  readonly aggregation: Aggregation;
  /**
   * Whether a value describes an instant or an interval. `Station.cellMethods` can replace the cell method, except for sums and
   * daily values.
   */
  readonly cellMethod: CellMethod;
  /**
   * Gross limits, both included. If `perMinute` is true, `max` is the limit of an amount of one minute, and the limit grows with
   * the interval of the amount: for 10 minutes it is 10 times `max`. For precipitation it can be lower, see
   * `quality/checks/gross-limits.ts`.
   */
  readonly limits: { readonly min: number; readonly max: number; readonly perMinute?: true };
  readonly step?: StepLimit;
  /**
   * `day` for a value of a whole day that the station or its weather service published. The time of the value is the end of the
   * day. The value is never mixed with values that are computed from the observations of the day. An amount of several days
   * (`multiday_`) is published for the last of its days.
   */
  readonly period?: 'day';
  /** Present if this variable only describes values of another variable in the same row. */
  readonly mark?: Mark;
}

/**
 * The catalog: the list of all variables that can be stored. New variables are added only here. Sources:
 *
 * - Names: CF standard name table.
 * - Limits and steps per minute: WMO, Guidelines on Quality Control Procedures for Data from Automatic Weather Stations
 *   (Zahumenský, 2004), and MADIS, the Meteorological Surface Quality Control Checks of NOAA. The WMO has two limits for a step; the
 *   limit for suspect values is used, because the check flags values as suspect.
 * - Steps per hour (35 °F, 15 hPa, 20 knots, 50 %): MADIS.
 * - Amounts of a day: WMO, World Weather and Climate Extremes Archive (rain: 1825 mm, Foc-Foc, 1966), and Capracotta, 2015 (2.56 m of
 *   snow in 18 hours, not accepted as a record).
 * - Cell methods: winds, radiation, the UV index and the rate of rain are means over the time before a report (WMO-No. 8, volume I,
 *   annex 1.A: wind over 10 minutes, gusts over the interval, radiation and rates of rain over a minute and longer).
 * - Greatest depth of snow on the ground: 11.82 m, Mount Ibuki, 1927 (Japan Meteorological Agency).
 * - Mean radiation of a day: the sun at the top of the atmosphere gives at most 550 W/m², at the pole in midsummer.
 * - Radiation: a pyranometer may show -4 W/m² at night, the physically possible limit of the Baseline Surface Radiation Network.
 */
export const VARIABLES: readonly Variable[] = [
  mean(1, 'air_temperature', '°C', -80, 60, { perMinute: 3, perHour: 19.5 }),
  mean(2, 'dew_point_temperature', '°C', -80, 35, { perMinute: 3, perHour: 19.5 }),
  mean(3, 'relative_humidity', '%', 0, 100, { perMinute: 10, perHour: 50 }),
  mean(4, 'surface_air_pressure', 'hPa', 500, 1100, { perMinute: 0.5, perHour: 15 }),
  mean(5, 'air_pressure_at_mean_sea_level', 'hPa', 846, 1100, { perMinute: 0.5, perHour: 15 }),
  meanOfInterval(6, 'wind_speed', 'm/s', 0, 75, { perMinute: 10, perHour: 10.3 }),
  {
    number: 7,
    name: 'wind_from_direction',
    unit: 'degree',
    aggregation: 'direction',
    cellMethod: 'interval',
    limits: { min: 0, max: 360 },
  },
  {
    number: 8,
    name: 'wind_speed_of_gust',
    unit: 'm/s',
    aggregation: 'maximum',
    cellMethod: 'interval',
    limits: { min: 0, max: 150 },
  },
  {
    number: 9,
    name: 'precipitation_amount',
    unit: 'mm',
    aggregation: 'sum',
    cellMethod: 'interval',
    limits: { min: 0, max: 40, perMinute: true },
  },
  meanOfInterval(10, 'rainfall_rate', 'mm/h', 0, 1100),
  meanOfInterval(11, 'surface_downwelling_shortwave_flux_in_air', 'W/m²', -4, 1600, {
    perMinute: 800,
    perHour: 1600,
  }),
  meanOfInterval(12, 'ultraviolet_index', '1', 0, 20),
  {
    number: 13,
    name: 'duration_of_sunshine',
    unit: 's',
    aggregation: 'sum',
    cellMethod: 'interval',
    limits: { min: 0, max: 60, perMinute: true },
  },
  mean(14, 'visibility_in_air', 'm', 0, 160_000),
  mean(15, 'cloud_area_fraction', '%', 0, 100),
  mean(16, 'surface_snow_thickness', 'm', 0, 7.6),
  mean(17, 'soil_temperature', '°C', -50, 50, { perMinute: 0.5, perHour: 5 }),
  mean(18, 'volume_fraction_of_condensed_water_in_soil', '1', 0, 1),
  mean(19, 'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air', 'µg/m³', 0, 1000),
  mean(20, 'mass_concentration_of_pm10_ambient_aerosol_particles_in_air', 'µg/m³', 0, 1000),
  {
    number: 21,
    name: 'wind_gust_from_direction',
    unit: 'degree',
    aggregation: 'direction',
    cellMethod: 'interval',
    limits: { min: 0, max: 360 },
  },
  mean(22, 'mole_fraction_of_carbon_dioxide_in_air', 'ppm', 0, 40_000),
  mean(23, 'mass_concentration_of_pm1_ambient_aerosol_particles_in_air', 'µg/m³', 0, 1000),
  mean(24, 'volume_fraction_of_condensed_water_in_soil_pores', '1', 0, 1),
  {
    number: 25,
    name: 'lightning_strike_count',
    unit: '1',
    aggregation: 'sum',
    cellMethod: 'interval',
    limits: { min: 0, max: 1000, perMinute: true },
  },
  mean(26, 'leaf_wetness', '%', 0, 100),
  {
    number: 27,
    name: 'precipitation_trace',
    unit: '1',
    aggregation: 'sum',
    cellMethod: 'interval',
    limits: { min: 0, max: 1 },
    mark: { of: 9, kind: 'trace' },
  },
  {
    number: 28,
    name: 'thickness_of_snowfall_amount',
    unit: 'mm',
    aggregation: 'sum',
    cellMethod: 'interval',
    limits: { min: 0, max: 10, perMinute: true },
  },
  daily(29, 'daily_maximum_air_temperature', '°C', 'mean', -80, 60),
  daily(30, 'daily_minimum_air_temperature', '°C', 'mean', -80, 60),
  daily(31, 'daily_mean_air_temperature', '°C', 'mean', -80, 60),
  daily(32, 'daily_precipitation_amount', 'mm', 'sum', 0, 1825),
  traceOf(32, 33, 'daily_precipitation_trace'),
  daily(34, 'daily_thickness_of_snowfall_amount', 'mm', 'sum', 0, 2600),
  daily(35, 'daily_maximum_wind_speed_of_gust', 'm/s', 'maximum', 0, 150),
  daily(36, 'daily_surface_snow_thickness', 'm', 'mean', 0, 12),
  daily(37, 'daily_duration_of_sunshine', 's', 'sum', 0, MILLISECONDS.day / MILLISECONDS.second),
  daily(38, 'daily_mean_wind_speed', 'm/s', 'mean', 0, 75),
  daily(39, 'daily_maximum_wind_speed', 'm/s', 'maximum', 0, 100),
  daily(40, 'daily_mean_wind_from_direction', 'degree', 'direction', 0, 360),
  daily(41, 'daily_mean_relative_humidity', '%', 'mean', 0, 100),
  daily(42, 'daily_mean_dew_point_temperature', '°C', 'mean', -80, 35),
  daily(43, 'daily_mean_surface_air_pressure', 'hPa', 'mean', 500, 1100),
  daily(44, 'daily_mean_air_pressure_at_mean_sea_level', 'hPa', 'mean', 846, 1100),
  daily(45, 'daily_mean_surface_downwelling_shortwave_flux_in_air', 'W/m²', 'mean', 0, 550),
  daily(46, 'daily_mean_cloud_area_fraction', '%', 'mean', 0, 100),
  daily(47, 'daily_mean_visibility_in_air', 'm', 'mean', 0, 160_000),
  traceOf(34, 48, 'daily_snowfall_trace'),
  traceOf(36, 49, 'daily_surface_snow_trace'),
  daily(50, 'multiday_precipitation_amount', 'mm', 'sum', 0, 10_000),
  daysOf(50, 51, 'multiday_precipitation_days'),
  daily(52, 'multiday_thickness_of_snowfall_amount', 'mm', 'sum', 0, 20_000),
  daysOf(52, 53, 'multiday_snowfall_days'),
];

function mean(
  number: number,
  name: string,
  unit: string,
  min: number,
  max: number,
  step?: StepLimit,
): Variable {
  const limits = { min, max };
  return { number, name, unit, aggregation: 'mean', cellMethod: 'point', limits, ...(step && { step }) };
}

function meanOfInterval(...entry: Parameters<typeof mean>): Variable {
  return { ...mean(...entry), cellMethod: 'interval' };
}

function daily(
  number: number,
  name: string,
  unit: string,
  aggregation: Aggregation,
  min: number,
  max: number,
): Variable {
  return { number, name, unit, aggregation, cellMethod: 'interval', limits: { min, max }, period: 'day' };
}

/** Marks traces of daily amounts. @param of number of the variable with the amounts */
function traceOf(of: number, number: number, name: string): Variable {
  return { ...daily(number, name, '1', 'sum', 0, 1), mark: { of, kind: 'trace' } };
}

/** Numbers of days of amounts of several days. @param of number of the variable with the amounts */
function daysOf(of: number, number: number, name: string): Variable {
  return { ...daily(number, name, '1', 'mean', 2, 366), mark: { of, kind: 'days' } };
}

/**
 * The names that messages suggest for an unknown name. Variables that only describe values of other variables are left out.
 */
export const SUGGESTED_NAMES: readonly string[] = VARIABLES.flatMap(({ name, mark }) =>
  mark === undefined ? [name] : [],
);

const byName = new Map(VARIABLES.map((variable) => [variable.name, variable]));
const byNumber = new Map(VARIABLES.map((variable) => [variable.number, variable]));

export function variableNamed(name: string): Variable | undefined {
  return byName.get(name);
}

/** Whether values are directions in degrees, which can also be given as points of the compass (`NNE`). */
export function isDirection(name: string): boolean {
  return byName.get(name)?.aggregation === 'direction';
}

export function isVariable(number: number): boolean {
  return byNumber.has(number);
}

const dailyNumbers = new Set(VARIABLES.flatMap(({ number, period }) => (period === 'day' ? [number] : [])));

/** Whether the values of a variable are values of whole days (`Variable.period`). */
export function isDaily(number: number): boolean {
  return dailyNumbers.has(number);
}

/** Numbers of the variables of reports: all variables except those of whole days. */
export const REPORTED: readonly number[] = VARIABLES.flatMap(({ number, period }) =>
  period === 'day' ? [] : [number],
);

/** @throws Error for a number that is not in the catalog of variables */
export function variableNumbered(number: number): Variable {
  const variable = byNumber.get(number);
  if (variable === undefined) throw new Error(`there is no variable ${number}`);
  return variable;
}

const traces = new Map(
  VARIABLES.flatMap((variable) => (variable.mark?.kind === 'trace' ? [[variable.mark.of, variable]] : [])),
);

/** The variable that marks amounts of another variable as a trace: an amount that is too small to be measured. */
export function traceVariableOf(number: number): Variable | undefined {
  return traces.get(number);
}

/** Numbers of the variables that rules refer to. */
export const V = {
  temperature: 1,
  dewPoint: 2,
  humidity: 3,
  pressure: 4,
  seaLevelPressure: 5,
  windSpeed: 6,
  windDirection: 7,
  gust: 8,
  precipitation: 9,
  radiation: 11,
  ultravioletIndex: 12,
  sunshine: 13,
  pm2p5: 19,
  pm10: 20,
  gustDirection: 21,
  dailyMaximum: 29,
  dailyMinimum: 30,
  dailyMean: 31,
  dailyPrecipitation: 32,
  dailySnow: 34,
  dailyGust: 35,
  multidayPrecipitation: 50,
  multidayPrecipitationDays: 51,
  multidaySnow: 52,
  multidaySnowDays: 53,
} as const;
