import { type QuantityInputs, within } from './quantity.js';

/**
 * Magnus formulas of WMO-No. 8 (2018), annex 4.B: e = 6.112 hPa · exp(a · t / (b + t)), over water from -45 to 60 °C, over
 * ice from -65 to 0 °C.
 */
const WATER = { a: 17.62, b: 243.12 } as const;
const ICE = { a: 22.46, b: 272.62 } as const;
const AT_ZERO = 6.112;

export type Surface = 'water' | 'ice';
const COEFFICIENTS = { water: WATER, ice: ICE } as const;

/** The range of the formula over water, °C. */
export const MAGNUS = { min: -45, max: 60 } as const;
/**
 * A dew point may exceed the air temperature by up to this number of °C and still counts as saturation, because the dew point and
 * the air temperature are both rounded to tenths.
 */
export const ROUNDING = 0.05 + 1e-9;

/** Saturation vapor pressure, hPa. @param temperature °C */
export function saturationVaporPressure(temperature: number, surface: Surface = 'water'): number {
  const { a, b } = COEFFICIENTS[surface];
  return AT_ZERO * Math.exp((a * temperature) / (b + temperature));
}

/** The increase of `saturationVaporPressure` with temperature, hPa/K. */
export function saturationSlope(temperature: number, surface: Surface): number {
  const { a, b } = COEFFICIENTS[surface];
  return (saturationVaporPressure(temperature, surface) * a * b) / (b + temperature) ** 2;
}

/** The temperature in °C at which a vapor pressure is the saturation vapor pressure. @param vapor hPa */
export function saturationTemperature(vapor: number, surface: Surface = 'water'): number {
  const { a, b } = COEFFICIENTS[surface];
  const ratio = Math.log(vapor / AT_ZERO);
  return (b * ratio) / (a - ratio);
}

/** Relative humidity over water in %: measured, or computed from the dew point. NaN if the humidity is not from 0 to 100. */
export function relativeHumidity(conditions: QuantityInputs): number {
  const { humidity, temperature } = conditions;
  if (!Number.isNaN(humidity)) return within(humidity, 0, 100) ? humidity : Number.NaN;
  const dewPoint = storedDewPoint(conditions);
  return Math.min(100, (100 * saturationVaporPressure(dewPoint)) / saturationVaporPressure(temperature));
}

/**
 * The stored dew point, °C, at most the air temperature. NaN if the dew point exceeds the air temperature by more than
 * rounding, because then one of these values is wrong.
 */
export function storedDewPoint({ dewPoint, temperature }: QuantityInputs): number {
  if (Number.isNaN(temperature) || dewPoint <= temperature) return dewPoint;
  return dewPoint <= temperature + ROUNDING ? temperature : Number.NaN;
}

/**
 * Vapor pressure in hPa, computed from the stored dew point, or from the humidity if no dew point is stored. The result is at
 * most the saturation vapor pressure over water.
 */
export function vaporPressure(conditions: QuantityInputs): number {
  const { dewPoint, temperature } = conditions;
  if (!Number.isNaN(dewPoint)) return saturationVaporPressure(storedDewPoint(conditions));
  return (saturationVaporPressure(temperature) * relativeHumidity(conditions)) / 100;
}

/** Dew point in °C: stored, or computed from the humidity. */
export function dewPointOf(conditions: QuantityInputs): number {
  const { dewPoint, temperature } = conditions;
  if (!Number.isNaN(dewPoint)) return storedDewPoint(conditions);
  if (!within(temperature, MAGNUS.min, MAGNUS.max)) return Number.NaN;
  // At 100 % the rounding of the logarithm would put the dew point above the air temperature.
  const computed = Math.min(temperature, saturationTemperature(vaporPressure(conditions)));
  return computed >= MAGNUS.min ? computed : Number.NaN;
}
