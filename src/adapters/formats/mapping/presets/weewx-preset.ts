import { byUnit, type Preset } from './preset.js';

const TEMPERATURES = { C: '°C', F: '°F' };
const PRESSURES = { mbar: 'mbar', hPa: 'hPa', inHg: 'inHg' };
const SPEEDS = { mps: 'm/s', kph: 'km/h', mph: 'mph', knot: 'kt' };

/**
 * WeeWX with the extension weewx-mqtt: all values are text, in any unit system, with the unit in the name.
 *
 * Loop packets and archive records use the same topic, and the rain of an archive record (`rain_cm`) is the sum of the rain of
 * its loop packets. Adding both would count the same rain twice. The preset therefore uses the rain of the day.
 */
export const weewxPreset: Preset = {
  description: 'WeeWX with the extension weewx-mqtt, aggregation "aggregate"',
  topic: 'weather/loop',
  payload: 'json',
  time: { path: 'dateTime', format: 'unix' },
  fields: {
    ...byUnit('outTemp', { variable: 'air_temperature' }, TEMPERATURES),
    outHumidity: { variable: 'relative_humidity' },
    ...byUnit('dewpoint', { variable: 'dew_point_temperature' }, TEMPERATURES),
    ...byUnit('pressure', { variable: 'surface_air_pressure' }, PRESSURES),
    ...byUnit('barometer', { variable: 'air_pressure_at_mean_sea_level' }, PRESSURES),
    ...byUnit('windSpeed', { variable: 'wind_speed' }, SPEEDS),
    windDir: { variable: 'wind_from_direction' },
    ...byUnit('windGust', { variable: 'wind_speed_of_gust' }, SPEEDS),
    windGustDir: { variable: 'wind_gust_from_direction' },
    ...byUnit('dayRain', { rain: 'day' }, { cm: 'cm', mm: 'mm', in: 'in' }),
    rainRate_cm_per_hour: { variable: 'rainfall_rate', unit: 'mm/h', scale: 10 },
    rainRate_mm_per_hour: { variable: 'rainfall_rate', unit: 'mm/h' },
    rainRate_inch_per_hour: { variable: 'rainfall_rate', unit: 'in/h' },
    radiation_Wpm2: { variable: 'surface_downwelling_shortwave_flux_in_air' },
    ...byUnit('visibility', { variable: 'visibility_in_air' }, { km: 'km', mile: 'mi' }),
    UV: { variable: 'ultraviolet_index' },
  },
  ignored: ['usUnits', 'interval_minute', 'rain_cm', 'rain_mm', 'rain_in'],
};
