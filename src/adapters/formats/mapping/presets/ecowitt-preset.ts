import type { Preset } from './preset.js';

const counter = (rain: string, gauge: string) => ({ rain, gauge, unit: 'in' });

/**
 * Gateways of Ecowitt (GW2000 from 3.1.9, GW3000) that publish to a broker. The messages have the form of the custom upload of
 * the gateways, in US units. `baromrelin` is left out, because it is the pressure at mean sea level only if the owner has
 * calibrated the gateway.
 */
export const ecowittPreset: Preset = {
  description: 'gateways of Ecowitt that publish by themselves',
  topic: 'ecowitt/+mac',
  payload: 'form',
  time: { path: 'dateutc', format: 'YYYY-MM-DD HH:mm:ss', zone: 'UTC' },
  missing: ['-9999', '-999', '--'],
  fields: {
    tempf: { variable: 'air_temperature', unit: '°F' },
    humidity: { variable: 'relative_humidity' },
    baromabsin: { variable: 'surface_air_pressure', unit: 'inHg' },
    windspeedmph: { variable: 'wind_speed', unit: 'mph' },
    winddir: { variable: 'wind_from_direction' },
    windgustmph: { variable: 'wind_speed_of_gust', unit: 'mph' },
    windgustdir: { variable: 'wind_gust_from_direction' },
    rainratein: { variable: 'rainfall_rate', unit: 'in/h' },
    rrain_piezo: { variable: 'rainfall_rate', unit: 'in/h' },
    solarradiation: { variable: 'surface_downwelling_shortwave_flux_in_air' },
    uv: { variable: 'ultraviolet_index' },
    lightning_num: { variable: 'lightning_strike_count', counter: true },
    eventrainin: counter('event', 'tipping'),
    dailyrainin: counter('day', 'tipping'),
    weeklyrainin: counter('week', 'tipping'),
    monthlyrainin: counter('month', 'tipping'),
    yearlyrainin: counter('year', 'tipping'),
    totalrainin: counter('total', 'tipping'),
    erain_piezo: counter('event', 'piezo'),
    drain_piezo: counter('day', 'piezo'),
    wrain_piezo: counter('week', 'piezo'),
    mrain_piezo: counter('month', 'piezo'),
    yrain_piezo: counter('year', 'piezo'),
  },
  // The identity and the state of the gateway, and values that can be derived.
  ignored: ['PASSKEY', 'stationtype', 'model', 'freq', 'interval', 'vpd', 'srain_piezo', 'maxdailygust'],
  runtime: 'runtime',
};
