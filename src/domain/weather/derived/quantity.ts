/** The inputs of a formula at one instant; NaN for unknown values. */
export interface QuantityInputs {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** Temperature of the air, °C. */
  readonly temperature: number;
  /** Temperature of the air twelve hours before `time`, °C. */
  readonly temperatureBefore: number;
  /** Dew point, °C. */
  readonly dewPoint: number;
  /** Relative humidity, %. */
  readonly humidity: number;
  /** Pressure at the station, hPa. */
  readonly pressure: number;
  /** Pressure at mean sea level, hPa. */
  readonly seaLevelPressure: number;
  /** Wind speed at `windHeight`, m/s. */
  readonly windSpeed: number;
  /** Height of the anemometer, m above the ground, at least 1. */
  readonly windHeight: number;
  /** Global short-wave radiation, W/m². */
  readonly radiation: number;
  /** Concentration of particles up to 2.5 µm, µg/m³. */
  readonly pm2p5: number;
  /** Concentration of particles up to 10 µm, µg/m³. */
  readonly pm10: number;
  /** Elevation of the station, m above mean sea level. */
  readonly elevation: number;
  /** Latitude of the station, degrees north. */
  readonly latitude: number;
  /** Longitude of the station, degrees east. */
  readonly longitude: number;
}

/** The description of a derived quantity in replies. */
export interface QuantityDescription {
  readonly name: string;
  readonly unit: string;
  /** The name of the quantity that this one repeats under another name. */
  readonly aliasOf?: string;
  /** Whether the values are differences of temperatures, which are converted without the offset of the unit. */
  readonly isDifference?: true;
  /** The CF standard name, if CF has one. */
  readonly standardName?: string;
  /** Number of decimals that the accuracy of the formula justifies, in `unit`. Undefined means 2. */
  readonly decimals?: number;
  /** The formula and its source, as text. */
  readonly formula: string;
  /** The range in which the formula is valid, as text. */
  readonly validity: string;
  /** Numbers of the variables that the formula reads. */
  readonly inputs: readonly number[];
  /**
   * Number of the variable that contains this quantity, if there is one. A stored value of this variable is the result. If no
   * value is stored, the formula is used.
   */
  readonly stored?: number;
}

/** A quantity at one instant. The result is NaN outside of the range of the formula, and if an input is missing. */
export interface DerivedQuantity extends QuantityDescription {
  /** Whether the formula reads `temperatureBefore`. */
  readonly needsEarlier?: boolean;
  compute(conditions: QuantityInputs): number;
}

/** Whether `value` is between `min` and `max`, both included; false for NaN. */
export const within = (value: number, min: number, max: number) => value >= min && value <= max;

/** 0 °C in K. */
export const KELVIN = 273.15;
