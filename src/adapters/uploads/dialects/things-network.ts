import { VARIABLES } from '#domain/weather/variables.js';
import { parseTime } from '#adapters/formats/text/parse-time.js';
import { type FieldTable, readFields } from '../reading/field-table.js';
import { flatFields, isObject, objectAt, textAt } from '../reading/json-fields.js';
import { UPLOAD_JSON_TYPE, REPLIES } from '../upload-reply.js';
import { type Dialect, deviceOf, senderOf } from './dialect.js';

/**
 * The fields of a message and their variables. A message can have two payloads. The normalized payload has the names of The
 * Things Network, such as `air.temperature`. The decoded payload comes from a formatter that the owner of the device has written;
 * there, a field is stored if it has the name of a variable, such as `air_temperature`.
 */
const FIELDS: FieldTable = {
  readings: [
    ...VARIABLES.map(({ name }) => [name, name] as const),
    ['air.temperature', 'air_temperature'],
    ['air.relativeHumidity', 'relative_humidity'],
    ['air.pressure', 'surface_air_pressure'],
    ['wind.speed', 'wind_speed'],
    ['wind.direction', 'wind_from_direction'],
    ['rain.intensity', 'rainfall_rate'],
  ],
  counters: [['rain.cumulative', 'tipping', 'total', 1]],
  batteries: new Map(),
  ignored: new Set(),
};

/** The webhook of The Things Network (The Things Stack). The messages have no members whose value is empty, 0 or false. */
export const thingsNetwork: Dialect = {
  name: 'things-network',
  recognizes: ({ json }) => isObject(json) && Object.hasOwn(json, 'end_device_ids'),
  read: ({ json, key }) => {
    const ids = objectAt(json, 'end_device_ids');
    const message = objectAt(json, 'uplink_message');
    const application = textAt(objectAt(ids, 'application_ids'), 'application_id') ?? '';
    const device = textAt(ids, 'device_id');
    const received = isObject(json) ? parseTime(json['received_at']) : Number.NaN;
    const { batteries, ...values } = readFields(
      new Map([...normalized(message), ...decoded(message)]),
      FIELDS,
    );
    return [
      {
        sender: senderOf({ key, identity: device && `${application}/${device}` }),
        time: Number.isNaN(received) ? { sent: undefined, isLive: true } : { sent: received, isLive: false },
        ...values,
        device: deviceOf({ model: textAt(objectAt(message, 'version_ids'), 'model_id'), batteries }),
      },
    ];
  },
  replies: { ...REPLIES, accepted: { status: 200, body: '{}', type: UPLOAD_JSON_TYPE } },
};

function decoded(message: Readonly<Record<string, unknown>>): [string, string][] {
  return flatFields(objectAt(message, 'decoded_payload'));
}

/**
 * The fields of the first measurement in a message. Further measurements are ignored, because they are older measurements of the
 * same device.
 */
function normalized(message: Readonly<Record<string, unknown>>): [string, string][] {
  const payload = message['normalized_payload'];
  return flatFields(Array.isArray(payload) ? (payload as readonly unknown[])[0] : payload);
}
