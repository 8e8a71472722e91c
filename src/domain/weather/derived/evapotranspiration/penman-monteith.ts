import { faoSaturation } from '../humidity/vapor-pressure-deficit.js';

/** The FAO Penman-Monteith equation and its parts: FAO Irrigation and Drainage Paper 56 (1998). */

/** Albedo of the reference grass. */
const ALBEDO = 0.23;
/** Stefan-Boltzmann constant, MJ/(K⁴ m² day). FAO-56 computes the temperature in K for this constant as °C + 273.16. */
const STEFAN_BOLTZMANN = 4.903e-9;

/** The inputs of one hour or one day. */
export interface Weather {
  /** Mean temperature, °C. */
  readonly temperature: number;
  /** Mean of two fourth powers, K⁴: of the lowest and of the highest temperature of the period. */
  readonly fourthPower: number;
  /** Saturation vapor pressure, kPa. */
  readonly saturation: number;
  /** Vapor pressure, kPa. */
  readonly vapor: number;
  /** Wind at 2 m, m/s. */
  readonly wind: number;
  /** Solar radiation, MJ/m² in the period. */
  readonly radiation: number;
  /** Solar radiation divided by clear-sky radiation. */
  readonly clearness: number;
  /** Elevation of the station, m above mean sea level. */
  readonly elevation: number;
}

/**
 * Constants of the equation for an hour or a day. `numerator`: factor of the wind in the numerator. `soil`: soil heat flux as a
 * share of net radiation. `days`: length of the period in days.
 */
export interface Timescale {
  readonly numerator: number;
  readonly soil: number;
  readonly days: number;
}

/**
 * Limits of solar radiation divided by clear-sky radiation. With a ratio below 0.3, clouds would radiate more than the ground in
 * the formula (ASCE-EWRI 2005, equation 18). A ratio above 1 is an error of measurement.
 */
const CLEARNESS = { min: 0.3, max: 1 } as const;

/** Net radiation, MJ/m² in the period: equations 38 to 40. */
export function netRadiation({ radiation, fourthPower, vapor, clearness }: Weather, days: number): number {
  const cloud = 1.35 * Math.max(CLEARNESS.min, Math.min(CLEARNESS.max, clearness)) - 0.35;
  const emitted = STEFAN_BOLTZMANN * days * fourthPower * (0.34 - 0.14 * Math.sqrt(vapor)) * cloud;
  return (1 - ALBEDO) * radiation - emitted;
}

/** Reference evapotranspiration, mm in the period: equations 6 and 53, with equations 7, 8 and 13. */
export function penmanMonteith(weather: Weather, { numerator, soil, days }: Timescale): number {
  const { temperature, saturation, vapor, wind, elevation } = weather;
  const slope = (4098 * faoSaturation(temperature)) / (temperature + 237.3) ** 2;
  const pressure = 101.3 * ((293 - 0.0065 * elevation) / 293) ** 5.26;
  const psychrometric = 0.665e-3 * pressure;
  const energy = 0.408 * slope * netRadiation(weather, days) * (1 - soil);
  const drying = ((psychrometric * numerator) / (temperature + 273)) * wind * (saturation - vapor);
  return (energy + drying) / (slope + psychrometric * (1 + 0.34 * wind));
}

/** Clear-sky radiation divided by extraterrestrial radiation: equation 37. @param elevation m */
export function clearSkyShare(elevation: number): number {
  return 0.75 + 2e-5 * elevation;
}

/** The fourth power of a temperature, K⁴. @param temperature °C */
export function fourthPowerOf(temperature: number): number {
  return (temperature + 273.16) ** 4;
}
