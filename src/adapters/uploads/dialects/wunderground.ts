import type { RawUpload } from '../request/raw-upload.js';
import {
  batteries,
  type FieldTable,
  inUnit,
  readFields,
  words,
  type ReadingField,
} from '../reading/field-table.js';
import { IMPERIAL_READINGS, INCH_COUNTERS } from '../reading/imperial-fields.js';
import { sentNumber } from '../reading/sent-number.js';
import { uploadTime } from '../reading/utc-time.js';
import { REPLIES } from '../upload-reply.js';
import { type Dialect, deviceOf, type DialectUpload, NO_VALUES, senderOf } from './dialect.js';

/** Names of fields that are not stored: fields of the protocol, derived values, and values of the past hour or day. */
const IGNORED = [
  ...words('ID PASSWORD id siteid siteAuthenticationKey action dateutc'),
  ...words('realtime rtfreq softwaretype sensor mt'),
  ...words('rainin hourlyrainin 24hourrainin maxdailygust'),
  ...words('windchillf heatindexf feelslikef windchill rain'),
];

const AIR_QUALITY: readonly ReadingField[] = [
  ['AqPM2.5', 'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air'],
  ['AqPM10', 'mass_concentration_of_pm10_ambient_aerosol_particles_in_air'],
];

/** The fields of Weather Underground, which PWSWeather and the Weather Observations Website use as well. */
export const WUNDERGROUND_FIELDS: FieldTable = {
  readings: [
    ['UV', 'ultraviolet_index'],
    ...IMPERIAL_READINGS,
    ['windgustdir_10m', 'wind_gust_from_direction'],
    ['absbaromin', 'surface_air_pressure', 'inHg'],
    ['baromin', 'air_pressure_at_mean_sea_level', 'inHg'],
    ['visibility', 'visibility_in_air', 'nmi'],
    ...AIR_QUALITY,
  ],
  counters: INCH_COUNTERS,
  batteries: new Map([...batteries('lowIsOne', ['lowbatt']), ...batteries('text', ['battery', 'rssi'])]),
  ignored: new Set(IGNORED),
  units: new Map(
    inUnit('°F', [
      ...words('indoortempf soiltempf temp2f temp3f temp4f'),
      ...words('soiltemp2f soiltemp3f soiltemp4f'),
    ]),
  ),
  // Cumulus writes the number of a soil sensor after the unit.
  aliases: { soiltempf2: 'soiltemp2f', soiltempf3: 'soiltemp3f', soiltempf4: 'soiltemp4f' },
};

/** Fields of devices that send the pressure at the station in the field for the pressure at sea level. */
const STATION_PRESSURE: FieldTable = {
  ...WUNDERGROUND_FIELDS,
  readings: WUNDERGROUND_FIELDS.readings.map((field) =>
    field[0] === 'baromin' ? ['baromin', 'surface_air_pressure', 'inHg'] : field,
  ),
};
const STATION_PRESSURE_SOFTWARE: ReadonlySet<string> = new Set(['WH2600GEN_V2.2.5', 'WH2650A_V1.2.1']);

/**
 * Fields of consoles that use this protocol with metric values. Their `UV` is in µW/cm² instead of an index, and `light` is in
 * lux. Both are unmapped: they are only listed in the status of the upload key, until the owner assigns them to variables.
 */
const METRIC_FIELDS: FieldTable = {
  readings: [
    ['outtemp', 'air_temperature'],
    ['outhumi', 'relative_humidity'],
    ['dewpoint', 'dew_point_temperature'],
    ['windspeed', 'wind_speed', 'km/h'],
    ['winddir', 'wind_from_direction'],
    ['windgust', 'wind_speed_of_gust', 'km/h'],
    ['absbaro', 'surface_air_pressure'],
    ['relbaro', 'air_pressure_at_mean_sea_level'],
    ['rainrate', 'rainfall_rate'],
    ...AIR_QUALITY,
  ],
  counters: [
    ['dailyrain', 'tipping', 'day', 1],
    ['weeklyrain', 'tipping', 'week', 1],
    ['monthlyrain', 'tipping', 'month', 1],
    ['yearlyrain', 'tipping', 'year', 1],
  ],
  batteries: WUNDERGROUND_FIELDS.batteries,
  ignored: WUNDERGROUND_FIELDS.ignored,
};
const METRIC_NAMES = ['intemp', 'outtemp', 'absbaro', 'relbaro', 'inhumi', 'outhumi'];

const PATH = /\/weatherstation\/updateweatherstation(?:\.php|\.asp)?\/?$/;

/** The protocol of Weather Underground, including its rapid fire, its metric variant, and the bridges of AcuRite. */
export const wunderground: Dialect = {
  name: 'wunderground',
  recognizes: ({ fields, path }) => (fields.has('ID') && fields.has('PASSWORD')) || PATH.test(path),
  read: readWunderground,
  replies: REPLIES,
};

/** Reads a request of Weather Underground or PWSWeather, which have the same fields. */
export function readWunderground({ fields, key }: RawUpload): readonly DialectUpload[] | string {
  if (fields.size === 0) return NO_VALUES;
  const firmware = fields.get('softwaretype');
  const isBridge = fields.has('id') && (fields.has('mt') || fields.has('sensor'));
  const table = METRIC_NAMES.some((name) => fields.has(name))
    ? METRIC_FIELDS
    : isBridge || STATION_PRESSURE_SOFTWARE.has(firmware ?? '')
      ? STATION_PRESSURE
      : WUNDERGROUND_FIELDS;
  const { batteries: states, ...values } = readFields(fields, table);
  const isLive = fields.get('realtime') === '1';
  const interval = isLive ? sentNumber(fields.get('rtfreq')) : undefined;
  const [id, password, identity] = [fields.get('ID'), fields.get('PASSWORD'), fields.get('id')];
  return [
    {
      sender: senderOf({ key, id, password, identity }),
      time: uploadTime(fields.get('dateutc'), isLive),
      ...values,
      device: deviceOf({ model: fields.get('mt'), firmware, interval, batteries: states }),
    },
  ];
}
