import { type QuantityInputs, KELVIN, within } from './quantity.js';
import { MAGNUS, vaporPressure } from './vapor.js';

/** Lowest and highest pressure at a station, hPa: the gross limits of `surface_air_pressure`. */
export const STATION_PRESSURE = { min: 500, max: 1100 } as const;
/** Range of elevations for which pressure is reduced to sea level, m: WMO-No. 8 (2018), chapter 3, 3.7. */
export const REDUCTION_ELEVATION = { min: -500, max: 750 } as const;

/**
 * The pressure at sea level divided by the pressure at the station: WMO-No. 8 (2018), equation 3.2, with the mean virtual
 * temperature of the air between sea level and the station. NaN if the elevation or the temperature is outside of the valid
 * range, for example for a station above 750 m.
 *
 * @param temperature temperature of the air at the station in °C, or its mean over twelve hours
 */
export function reductionToSeaLevel(conditions: QuantityInputs, temperature: number): number {
  const { elevation } = conditions;
  if (!within(elevation, REDUCTION_ELEVATION.min, REDUCTION_ELEVATION.max)) return Number.NaN;
  if (!within(temperature, MAGNUS.min, MAGNUS.max)) return Number.NaN;
  const column = KELVIN + temperature + (0.0065 * elevation) / 2 + 0.12 * vaporPressure(conditions);
  return 10 ** ((0.0148275 * elevation) / column);
}

/** Pressure of the standard atmosphere, hPa: ICAO Doc 7488. @param elevation m */
export function standardPressure(elevation: number): number {
  return 1013.25 * (1 - (0.0065 * elevation) / 288.15) ** 5.25588;
}

/** The sentence about `stationPressure` in the texts that describe formulas in replies. */
export const STATION_PRESSURE_TEXT =
  'If the pressure at the station is unknown, it is computed from the pressure at mean sea level';
/** The sentence about `likelyPressure` in the texts that describe formulas in replies. */
export const LIKELY_PRESSURE_TEXT = `${STATION_PRESSURE_TEXT}, otherwise from the standard atmosphere at the elevation of the station`;

/**
 * Pressure at the station, hPa. It is the measured pressure. If the station has only a stored pressure at sea level, the pressure
 * is computed from it by the reduction of WMO-No. 8.
 */
export function stationPressure(conditions: QuantityInputs): number {
  const { pressure, seaLevelPressure, temperature } = conditions;
  const known = Number.isNaN(pressure)
    ? seaLevelPressure / reductionToSeaLevel(conditions, temperature)
    : pressure;
  return within(known, STATION_PRESSURE.min, STATION_PRESSURE.max) ? known : Number.NaN;
}

/**
 * Pressure at the station, hPa: the result of `stationPressure`, or the pressure of the standard atmosphere at the elevation of
 * the station if the pressure is unknown. Must be used only in formulas in which an error of 3 % hardly matters: pressure varies
 * with the weather by about 3 %.
 */
export function likelyPressure(conditions: QuantityInputs): number {
  const known = stationPressure(conditions);
  if (!Number.isNaN(known) || !Number.isNaN(conditions.pressure)) return known;
  const standard = standardPressure(conditions.elevation);
  return within(standard, STATION_PRESSURE.min, STATION_PRESSURE.max) ? standard : Number.NaN;
}
