import type { Preset } from './preset.js';

/**
 * Sensors of Tasmota that measure air, in order of priority for a device with several sensors. `ESP32` is not in the list,
 * because it measures the temperature of the chip.
 */
const SENSORS = (
  'BME280 BME680 BMP280 BMP180 SHT3X SHT4X SI7021 HTU21 HDC1080 AHT2X AHT1X AM2301 DHT11 DS18B20 MCP9808 ' +
  'LM75AD'
).split(' ');

const TEMPERATURE = { path: 'TempUnit', units: { C: '°C', F: '°F' } };
const PRESSURE = { path: 'PressureUnit', units: { hPa: 'hPa', mmHg: 'mmHg', inHg: 'inHg' } };

const ofAll = (name: string, field: object) =>
  Object.fromEntries(SENSORS.map((sensor) => [`${sensor}.${name}`, field]));

/**
 * Tasmota: one object for each sensor, and the units beside the objects. `Time` is not used, because it is local time without an
 * offset.
 */
export const tasmota: Preset = {
  description: 'telemetry of devices with Tasmota',
  topic: 'tele/+device/SENSOR',
  payload: 'json',
  fields: {
    ...ofAll('Temperature', { variable: 'air_temperature', unit: TEMPERATURE }),
    ...ofAll('Humidity', { variable: 'relative_humidity' }),
    ...ofAll('DewPoint', { variable: 'dew_point_temperature', unit: TEMPERATURE }),
    ...ofAll('Pressure', { variable: 'surface_air_pressure', unit: PRESSURE }),
    ...ofAll('SeaPressure', { variable: 'air_pressure_at_mean_sea_level', unit: PRESSURE }),
  },
  ignored: ['Time'],
};
