export const SURFACE_PRESSURE = 'surface_air_pressure';
export const SEA_LEVEL_PRESSURE = 'air_pressure_at_mean_sea_level';

/** Meters above which the pressure at mean sea level differs from that of the station by more than rounding. */
const MIN_ELEVATION = 30;

/** Whether equal pressures at a station and at mean sea level mean that its console is not calibrated. @param elevation meters, or null */
export function areEqualPressuresWrong(elevation: number | null): elevation is number {
  return elevation !== null && elevation > MIN_ELEVATION;
}
