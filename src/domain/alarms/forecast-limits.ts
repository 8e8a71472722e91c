import { MILLISECONDS } from '../time.js';

/**
 * The usual size of the errors of a forecast: the standard deviation is `base` plus `share` of the value. It is used only while a forecast
 * has no bounds of its own.
 *
 * - Temperature: Rasp and Lerch (2018), Monthly Weather Review 146, have a continuous ranked probability score of 1.16 °C for a model at
 *   500 stations, 48 hours ahead. A normal distribution with this score has a standard deviation of 1.16 °C · √π = 2.05 °C.
 * - The others are assumptions: no better is known of a station without observations.
 */
export const ASSUMED_ERRORS: Readonly<Record<string, { readonly base: number; readonly share: number }>> = {
  air_temperature: { base: 2, share: 0 },
  dew_point_temperature: { base: 2, share: 0 },
  relative_humidity: { base: 10, share: 0 },
  air_pressure_at_mean_sea_level: { base: 2, share: 0 },
  wind_speed: { base: 0.5, share: 0.25 },
  wind_speed_of_gust: { base: 1, share: 0.25 },
  surface_downwelling_shortwave_flux_in_air: { base: 20, share: 0.3 },
};

/** Amounts of rain have no bounds. Their chance is the chance of any rain in the hour. */
export const RAIN_AMOUNT = 'precipitation_amount';

/** Names of the variables whose forecasts raise alarms: those with bounds, and rain. */
export const FORECAST_ALARM_VARIABLES: readonly string[] = [...Object.keys(ASSUMED_ERRORS), RAIN_AMOUNT];

/**
 * Default and bounds of `ForecastCondition.within`, in milliseconds. In 12 hours lie one night and one afternoon, never two, and the
 * forecasts of these lead times have the smallest errors. The hourly forecasts of some providers end after three days.
 */
export const FORECAST_WITHIN = {
  default: 12 * MILLISECONDS.hour,
  min: MILLISECONDS.hour,
  max: 7 * MILLISECONDS.day,
};

/** Default and bounds of `ForecastCondition.probability`. By default an event must be at least as likely as not. */
export const FORECAST_PROBABILITY = { default: 0.5, min: 0.01, max: 0.99 };
