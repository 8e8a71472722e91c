import type { Preset } from './preset.js';

/** ESPHome: each sensor has a topic with a bare number. Names of sensors are their owner's; these are common ones. */
export const esphome: Preset = {
  description: 'sensors of devices with ESPHome',
  topic: '+node/sensor/+name/state',
  payload: 'value',
  value: '+name',
  missing: ['nan', 'unknown'],
  fields: {
    temperature: { variable: 'air_temperature', unit: '°C' },
    humidity: { variable: 'relative_humidity', unit: '%' },
    pressure: { variable: 'surface_air_pressure', unit: 'hPa' },
  },
};
