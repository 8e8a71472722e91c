import { batteries, channels, type FieldTable, INCH, inUnit, words } from '../reading/field-table.js';
import { INCH_COUNTERS } from '../reading/imperial-fields.js';
import { sentNumber } from '../reading/sent-number.js';
import { UPLOAD_JSON_TYPE, REPLIES } from '../upload-reply.js';
import type { Dialect } from './dialect.js';
import { CONSOLE_IGNORED, CONSOLE_READINGS, isConsole, readConsole } from './fine-offset.js';

const FIELDS: FieldTable = {
  readings: [
    ...CONSOLE_READINGS,
    ['rrain_piezo', 'rainfall_rate', 'in/h'],
    ['lightning_num', 'lightning_strike_count', '1', 'counter'],
  ],
  counters: [
    ...INCH_COUNTERS,
    ['erain_piezo', 'piezo', 'event', INCH],
    ['drain_piezo', 'piezo', 'day', INCH],
    ['wrain_piezo', 'piezo', 'week', INCH],
    ['mrain_piezo', 'piezo', 'month', INCH],
    ['yrain_piezo', 'piezo', 'year', INCH],
  ],
  batteries: new Map([
    ...batteries('lowIsOne', ['wh25batt', 'wh26batt', 'wh65batt', ...channels((n) => `batt${n}`, 8)]),
    ...batteries('fifths', [
      ...words('wh57batt co2_batt'),
      ...channels((n) => `pm25batt${n}`, 4),
      ...channels((n) => `leakbatt${n}`, 4),
    ]),
    ...batteries('volts', [
      ...words('wh40batt wh68batt wh80batt wh85batt wh90batt console_batt'),
      ...words('ws80cap_volt ws85cap_volt ws90cap_volt'),
      ...channels((n) => `soilbatt${n}`, 16),
      ...channels((n) => `soil_ec_batt${n}`, 16),
      ...channels((n) => `tf_batt${n}`, 8),
      ...channels((n) => `leaf_batt${n}`, 8),
      ...channels((n) => `ldsbatt${n}`, 4),
    ]),
  ]),
  units: new Map(
    inUnit('°F', [
      ...words('tempinf tf_co2'),
      ...channels((n) => `temp${n}f`, 8),
      ...channels((n) => `tf_ch${n}`, 8),
      ...channels((n) => `soil_ec_temp${n}`, 16),
    ]),
  ),
  ignored: new Set([
    ...CONSOLE_IGNORED,
    ...words('ws80_ver ws85_ver ws90_ver'),
    ...words('gain0_piezo gain10_piezo gain20_piezo gain30_piezo gain40_piezo gain50_piezo'),
    // Rain of the past hour or day overlaps between uploads, and cannot be added up.
    ...words('hourlyrainin last24hrainin hrain_piezo last24hrain_piezo'),
    // These fields are derived from other values.
    ...words('vpd pm1_24h_co2 pm25_24h_co2 pm4_24h_co2 pm10_24h_co2 co2_24h co2in_24h'),
    ...channels((n) => `pm25_avg_24h_ch${n}`, 4),
  ]),
  // These values mean that there was no lightning so far.
  missing: { lightning: ['255'], lightning_time: ['4294967295'] },
};

/**
 * The field table for uploads in which only the piezo gauge has measured rain. The rate of the piezo gauge is then the rainfall
 * rate of the station.
 */
const PIEZO_FIELDS: FieldTable = {
  ...FIELDS,
  readings: [['rrain_piezo', 'rainfall_rate', 'in/h'], ...FIELDS.readings],
};

function tableFor(fields: ReadonlyMap<string, string>): FieldTable {
  const hasRain = (gauge: string) =>
    FIELDS.counters.some(([name, of]) => of === gauge && (sentNumber(fields.get(name)) ?? 0) > 0);
  return !hasRain('tipping') && hasRain('piezo') ? PIEZO_FIELDS : FIELDS;
}

/**
 * The protocol in which consoles and gateways of Ecowitt upload to a custom server. The same devices are also sold under other
 * brands (Froggit, Fine Offset …).
 *
 * Some sensors can be placed anywhere (channels, soil, leaf, particles, carbon dioxide). Their values are unmapped: they are only
 * listed in the status of the upload key, until the owner assigns them to variables.
 */
export const ecowittDialect: Dialect = {
  name: 'ecowitt',
  recognizes: isConsole,
  read: (upload) => readConsole(upload, tableFor(upload.fields)),
  replies: {
    ...REPLIES,
    accepted: { status: 200, body: '{"errcode":"0","errmsg":"ok"}', type: UPLOAD_JSON_TYPE },
  },
};
