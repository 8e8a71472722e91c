import type { Preset } from './preset.js';

/**
 * rtl_433. The program also receives the sensors of the neighbors, so that only senders in the table of stations are recorded.
 * `time` is local time without an offset, unless the program runs with `-M time:iso:utc:tz`. `uv` is left out, because its unit
 * depends on the model.
 */
export const rtl433: Preset = {
  description: 'sensors that rtl_433 receives by radio, by model and id',
  topic: 'rtl_433/+host/events',
  payload: 'json',
  time: { path: 'time', format: 'iso', optional: true },
  fields: {
    temperature_C: { variable: 'air_temperature', unit: '°C' },
    temperature_F: { variable: 'air_temperature', unit: '°F' },
    humidity: { variable: 'relative_humidity' },
    pressure_hPa: { variable: 'surface_air_pressure', unit: 'hPa' },
    wind_avg_m_s: { variable: 'wind_speed', unit: 'm/s' },
    wind_avg_km_h: { variable: 'wind_speed', unit: 'km/h' },
    wind_avg_mi_h: { variable: 'wind_speed', unit: 'mph' },
    wind_max_m_s: { variable: 'wind_speed_of_gust', unit: 'm/s' },
    wind_max_km_h: { variable: 'wind_speed_of_gust', unit: 'km/h' },
    wind_max_mi_h: { variable: 'wind_speed_of_gust', unit: 'mph' },
    wind_dir_deg: { variable: 'wind_from_direction' },
    rain_mm: { rain: 'total', unit: 'mm' },
    rain_in: { rain: 'total', unit: 'in' },
    rain_rate_mm_h: { variable: 'rainfall_rate', unit: 'mm/h' },
    rain_rate_in_h: { variable: 'rainfall_rate', unit: 'in/h' },
    strike_count: { variable: 'lightning_strike_count', counter: true },
    pm2_5_ug_m3: { variable: 'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air' },
    pm10_ug_m3: { variable: 'mass_concentration_of_pm10_ambient_aerosol_particles_in_air' },
    uvi: { variable: 'ultraviolet_index' },
    uv_index: { variable: 'ultraviolet_index' },
  },
  ignored: ['mic', 'subtype', 'channel'],
};
