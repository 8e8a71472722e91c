import { type FieldTable, readFields, words } from '../reading/field-table.js';
import { flatFields, isObject, type JsonObject, textAt } from '../reading/json-fields.js';
import { sentNumber } from '../reading/sent-number.js';
import { REPLIES } from '../upload-reply.js';
import type { RawUpload } from '../request/raw-upload.js';
import { type Dialect, deviceOf, type DialectUpload, senderOf } from './dialect.js';
import { arrayProblem } from './json.js';

/** Rain and snow are left out, because they are sums of the past hours, which overlap between uploads. */
const FIELDS: FieldTable = {
  readings: [
    ['temperature', 'air_temperature'],
    ['humidity', 'relative_humidity'],
    ['dew_point', 'dew_point_temperature'],
    ['wind_speed', 'wind_speed'],
    ['wind_deg', 'wind_from_direction'],
    ['wind_gust', 'wind_speed_of_gust'],
    ['pressure', 'air_pressure_at_mean_sea_level'],
  ],
  counters: [],
  batteries: new Map(),
  ignored: new Set([
    ...words('station_id dt rain_1h rain_6h rain_24h snow_1h snow_6h snow_24h'),
    ...words('humidex heat_index'),
  ]),
};

/** Measurements in the format of OpenWeatherMap 3.0. `station_id` identifies the sender, and `appid` is the password. */
export const openWeatherMap: Dialect = {
  name: 'open-weather-map',
  recognizes: ({ json }) => {
    const [first] = measurements(json);
    return isObject(first) && Object.hasOwn(first, 'station_id') && Object.hasOwn(first, 'dt');
  },
  read: (upload) => {
    const all = measurements(upload.json);
    const problem = arrayProblem(all);
    if (problem !== undefined) return problem;
    return all.map((measurement) => readMeasurement(measurement as JsonObject, upload));
  },
  replies: { ...REPLIES, accepted: { status: 204, body: '' } },
};

function measurements(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? (json as readonly unknown[]) : [json];
}

function readMeasurement(measurement: JsonObject, { key, fields }: RawUpload): DialectUpload {
  const seconds = sentNumber(textAt(measurement, 'dt'));
  const { batteries, ...values } = readFields(new Map(flatFields(measurement)), FIELDS);
  return {
    sender: senderOf({ key, id: textAt(measurement, 'station_id'), password: fields.get('appid') }),
    time: { sent: seconds === undefined ? undefined : seconds * 1000, isLive: seconds === undefined },
    ...values,
    device: deviceOf({ batteries }),
  };
}
