import type { Preset } from './preset.js';

/**
 * ESPHome: each sensor has a topic with a plain number. The owner chooses the names of sensors, so that this preset has only
 * common names.
 */
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
