/** How the error of a variable is measured and corrected. */
export type Link =
  /** The error is a difference: temperature, pressure. */
  | 'difference'
  /** The error is a ratio, which grows with the value: wind, radiation. */
  | 'ratio';

/** A quantity of forecasts. */
export interface ForecastVariable {
  /** Never changes, because stored forecasts refer to it. */
  readonly number: number;
  /** The name in the catalog of variables where it is there, otherwise a name by the same rules. */
  readonly name: string;
  readonly unit: string;
  /** Number of decimals of a stored value. */
  readonly decimals: number;
  /** Bounds of corrected values. */
  readonly min?: number;
  readonly max?: number;
  /** Present if the variable is corrected with the errors of the past. */
  readonly link?: Link;
  /** `part`: the bias depends on the part of the day. `height`: it depends on the height of the sun. */
  readonly biasBy?: 'part' | 'height';
  /** Hours after which the error of the newest observation is forgotten to 37 %. Absent if it says nothing about the next hours. */
  readonly memory?: number;
  /** How a value of an hour follows from the observations. Absent if forecasts are not compared with observations. */
  readonly observed?: 'at' | 'mean' | 'sum' | 'maximum';
}

/**
 * The variables of forecasts. Amounts, chances, maxima and means of radiation are of the hour that ends at the time of the value, `_6h` of
 * the six hours; the others are of the instant. Names that the catalog of variables lacks: `probability_of_precipitation` as MET Norway has it, and `weather_code`, code
 * table 4677 of the WMO.
 */
export const FORECAST_VARIABLES: readonly ForecastVariable[] = [
  {
    number: 1,
    name: 'air_temperature',
    unit: '°C',
    decimals: 1,
    link: 'difference',
    memory: 6,
    observed: 'at',
  },
  {
    number: 2,
    name: 'dew_point_temperature',
    unit: '°C',
    decimals: 1,
    link: 'difference',
    memory: 6,
    observed: 'at',
  },
  { number: 3, name: 'relative_humidity', unit: '%', decimals: 0, min: 0, max: 100, observed: 'at' },
  {
    number: 4,
    name: 'air_pressure_at_mean_sea_level',
    unit: 'hPa',
    decimals: 1,
    link: 'difference',
    memory: 12,
    observed: 'at',
  },
  {
    number: 5,
    name: 'wind_speed',
    unit: 'm/s',
    decimals: 1,
    min: 0,
    link: 'ratio',
    memory: 3,
    observed: 'at',
  },
  { number: 6, name: 'wind_from_direction', unit: 'degree', decimals: 0 },
  {
    number: 7,
    name: 'wind_speed_of_gust',
    unit: 'm/s',
    decimals: 1,
    min: 0,
    link: 'ratio',
    observed: 'maximum',
  },
  { number: 8, name: 'precipitation_amount', unit: 'mm', decimals: 1, min: 0, observed: 'sum' },
  { number: 9, name: 'probability_of_precipitation', unit: '%', decimals: 0, min: 0, max: 100 },
  {
    number: 10,
    name: 'surface_downwelling_shortwave_flux_in_air',
    unit: 'W/m²',
    decimals: 0,
    min: 0,
    link: 'ratio',
    biasBy: 'height',
    observed: 'mean',
  },
  { number: 11, name: 'cloud_area_fraction', unit: '%', decimals: 0, min: 0, max: 100 },
  { number: 12, name: 'weather_code', unit: '1', decimals: 0 },
  { number: 13, name: 'thickness_of_snowfall_amount', unit: 'mm', decimals: 1, min: 0 },
  { number: 14, name: 'duration_of_sunshine', unit: 's', decimals: 0, min: 0, max: 3600 },
  { number: 15, name: 'ultraviolet_index', unit: '1', decimals: 1, min: 0 },
  { number: 16, name: 'visibility_in_air', unit: 'm', decimals: 0, min: 0 },
  { number: 17, name: 'precipitation_amount_6h', unit: 'mm', decimals: 1, min: 0 },
  { number: 18, name: 'probability_of_precipitation_6h', unit: '%', decimals: 0, min: 0, max: 100 },
];

/** Numbers of the variables that rules refer to. */
export const F = {
  temperature: 1,
  dewPoint: 2,
  humidity: 3,
  pressure: 4,
  wind: 5,
  windDirection: 6,
  gust: 7,
  rain: 8,
  rainChance: 9,
  radiation: 10,
  clouds: 11,
  weatherCode: 12,
  snow: 13,
  sunshine: 14,
  ultravioletIndex: 15,
  visibility: 16,
  rainOf6Hours: 17,
  rainChanceOf6Hours: 18,
} as const;

const byName = new Map(FORECAST_VARIABLES.map((variable) => [variable.name, variable]));
const byNumber = new Map(FORECAST_VARIABLES.map((variable) => [variable.number, variable]));

export function forecastVariableNamed(name: string): ForecastVariable | undefined {
  return byName.get(name);
}

/** @throws Error for a number that is not in the list */
export function forecastVariable(number: number): ForecastVariable {
  const variable = byNumber.get(number);
  if (variable === undefined) throw new Error(`there is no variable ${number} of forecasts`);
  return variable;
}
