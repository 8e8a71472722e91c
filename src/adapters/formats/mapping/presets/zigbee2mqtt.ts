import type { Preset } from './preset.js';

/** Zigbee2MQTT. Its messages have a time only with its setting `last_seen: ISO_8601`. */
export const zigbee2mqtt: Preset = {
  description: 'Zigbee sensors behind Zigbee2MQTT',
  topic: 'zigbee2mqtt/+device',
  payload: 'json',
  time: { path: 'last_seen', format: 'iso', optional: true },
  fields: {
    temperature: { variable: 'air_temperature', unit: '°C' },
    humidity: { variable: 'relative_humidity', unit: '%' },
    pressure: { variable: 'surface_air_pressure', unit: 'hPa' },
  },
  ignored: ['battery', 'voltage', 'linkquality'],
};
