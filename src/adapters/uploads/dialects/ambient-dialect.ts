import { batteries, channels, type FieldTable, inUnit, words } from '../reading/field-table.js';
import { INCH_COUNTERS } from '../reading/imperial-fields.js';
import { REPLIES } from '../upload-reply.js';
import type { Dialect } from './dialect.js';
import { CONSOLE_IGNORED, CONSOLE_READINGS, isConsole, readConsole } from './fine-offset.js';

const FIELDS: FieldTable = {
  readings: [
    ...CONSOLE_READINGS,
    // In this dialect the field is a rate, unlike the field of the same name in other dialects.
    ['hourlyrainin', 'rainfall_rate', 'in/h'],
    ['pm25', 'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air'],
    ['lightning_day', 'lightning_strike_count', '1', 'counter'],
  ],
  counters: INCH_COUNTERS,
  batteries: new Map([
    ...batteries('lowIsZero', [
      ...words('battout battin battrain batt_25 batt_25in batt_co2 batt_cellgateway'),
      ...channels((n) => `batt${n}`, 10),
      ...channels((n) => `battr${n}`, 10),
      ...channels((n) => `battsm${n}`, 10),
    ]),
    ...batteries('lowIsOne', ['batt_lightning', ...channels((n) => `batleak${n}`, 4)]),
  ]),
  units: new Map(
    inUnit('°F', ['tempinf', ...channels((n) => `temp${n}f`, 10), ...channels((n) => `soiltemp${n}f`, 10)]),
  ),
  ignored: new Set([
    ...CONSOLE_IGNORED,
    ...words('pm25_24h pm25_in_24h pm25_in_24h_aqin pm10_in_24h_aqin co2_in_24h_aqin'),
    ...words('aqi_pm25 aqi_pm25_24h aqi_pm25_in aqi_pm25_in_24h aqi_pm25_aqin'),
    ...words('aqi_pm25_24h_aqin aqi_pm10_aqin aqi_pm10_24h_aqin'),
  ]),
};

/** Fields that Ambient sends and Ecowitt does not send. Ecowitt also sends all other fields of Ambient. */
const OWN_FIELDS = ['soilhum1', 'battout', 'lightning_day'];

/**
 * The protocol in which consoles of Ambient Weather upload to a custom server. Its fields are nearly those of Ecowitt, except for
 * batteries and hourly rain.
 */
export const ambientDialect: Dialect = {
  name: 'ambient',
  recognizes: (upload) =>
    isConsole(upload) &&
    (upload.fields.get('stationtype')?.startsWith('AMBWeather') === true ||
      OWN_FIELDS.some((name) => upload.fields.has(name))),
  read: (upload) => readConsole(upload, FIELDS),
  replies: REPLIES,
};
