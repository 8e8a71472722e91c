export const SURFACE_PRESSURE = 'surface_air_pressure';
export const SEA_LEVEL_PRESSURE = 'air_pressure_at_mean_sea_level';

/**
 * Elevation in meters. Above it, the pressures at mean sea level and at the station differ by more than the error of rounding.
 */
const MIN_ELEVATION = 30;

/**
 * Whether a console that shows the same pressure for the station and for mean sea level is not calibrated. The pressures must
 * differ if the station is higher than `MIN_ELEVATION`. The result is false if the elevation is unknown.
 *
 * @param elevation m, or null
 */
export function areEqualPressuresWrong(elevation: number | null): elevation is number {
  return elevation !== null && elevation > MIN_ELEVATION;
}
