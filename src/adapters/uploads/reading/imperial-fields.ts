import { type CounterField, INCH, type ReadingField } from './field-table.js';

/** Fields of Weather Underground that Ecowitt and Ambient have as well, with the same meaning. */
export const IMPERIAL_READINGS: readonly ReadingField[] = [
  ['tempf', 'air_temperature', '°F'],
  ['humidity', 'relative_humidity'],
  ['dewptf', 'dew_point_temperature', '°F'],
  ['windspeedmph', 'wind_speed', 'mph'],
  ['winddir', 'wind_from_direction'],
  ['windgustmph', 'wind_speed_of_gust', 'mph'],
  ['windgustdir', 'wind_gust_from_direction'],
  ['rainratein', 'rainfall_rate', 'in/h'],
  ['solarradiation', 'surface_downwelling_shortwave_flux_in_air'],
  ['uv', 'ultraviolet_index'],
];

/** The counters of the tipping gauge, in inches. */
export const INCH_COUNTERS: readonly CounterField[] = [
  ['eventrainin', 'tipping', 'event', INCH],
  ['dailyrainin', 'tipping', 'day', INCH],
  ['weeklyrainin', 'tipping', 'week', INCH],
  ['monthlyrainin', 'tipping', 'month', INCH],
  ['yearlyrainin', 'tipping', 'year', INCH],
  ['totalrainin', 'tipping', 'total', INCH],
];
