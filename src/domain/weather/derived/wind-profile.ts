import { V, variableNumbered } from '../variables.js';

/**
 * Height in meters above the ground at which weather services measure wind. This height is used if the height of a sensor is
 * unknown.
 */
export const STANDARD_HEIGHT = 10;
/** Smallest height in meters at which the profile is valid, above the grass. */
const MIN_HEIGHT = 1;

/**
 * Height of the anemometer in meters above the ground; the standard height if this height is unknown or too low for the profile.
 */
export function anemometerHeight(sensorHeights: Readonly<Record<string, number>> | undefined): number {
  const height = sensorHeights?.[variableNumbered(V.windSpeed).name] ?? STANDARD_HEIGHT;
  return height >= MIN_HEIGHT ? height : STANDARD_HEIGHT;
}

/** The logarithmic profile of wind over short grass: FAO-56 (1998), equation 47. @param height m, at least 1 */
const profile = (height: number) => Math.log(67.8 * height - 5.42);

/** Wind at 2 m from wind at another height over short grass, m/s: FAO-56, equation 47. @param height m, at least 1 */
export function windAtTwoMeters(wind: number, height: number): number {
  return (wind * 4.87) / profile(height);
}

/** Wind at 10 m from wind at another height over short grass, m/s. @param height m, at least 1 */
export function windAtTenMeters(wind: number, height: number): number {
  return height === STANDARD_HEIGHT ? wind : (wind * profile(STANDARD_HEIGHT)) / profile(height);
}

/** Text in replies about wind that was converted to another height. */
export const WIND_HEIGHT_TEXT =
  'by the profile of FAO-56, equation 47, from the height of its sensor, or from 10 m where that is unknown or below 1 m';
