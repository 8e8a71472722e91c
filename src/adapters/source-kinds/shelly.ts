import type {
  SensorState,
  SourceDevice,
  SourceKind,
  SourceReply,
  SourceReport,
} from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import type { Reading } from '#domain/uploads/upload.js';
import { deviceUrl } from './reading/device-url.js';
import { digestAuthorization } from './reading/digest.js';
import { isObject, type JsonObject, memberOf, numberAt, textAt } from './reading/json-values.js';
import { Fields } from './reading/quantity.js';

const PORT = 80;
const PATH = '/rpc/Shelly.GetStatus';
/** The only user of a device. */
const USER = 'admin';

/** The sensors of the device itself. Sensors of an add-on have numbers from 100 on, and are fields. */
const READINGS: ReadonlyMap<string, readonly [member: string, variable: string, unit: string]> = new Map([
  ['temperature:0', ['tC', 'air_temperature', '°C']],
  ['humidity:0', ['rh', 'relative_humidity', '%']],
]);
/** Values by the part of the name before the colon, with their units. */
const FIELDS: ReadonlyMap<string, readonly [member: string, unit?: string]> = new Map([
  ['temperature', ['tC', '°C']],
  ['humidity', ['rh', '%']],
  ['illuminance', ['lux']],
  ['voltmeter', ['voltage']],
  // A sensor that the device receives over Bluetooth, for example of a WS90.
  ['bthomesensor', ['value']],
]);

/** Devices of Shelly of the second generation and later, which answer to `Shelly.GetStatus`. */
export const shelly: SourceKind = {
  name: 'shelly',
  title: 'Shelly, second generation and later',
  reach: 'local',
  shortestInterval: 5,
  settings: { address: true },
  secrets: { password: false },
  ask: async (device) => {
    const status = (await getStatus(device)).json();
    if (!isObject(status) || textAt(memberOf(status, 'sys'), 'mac') === undefined)
      throw new SourceFailure(
        'The reply is not the status of a Shelly device: check the address and the kind.',
      );
    return [reportOf(status)];
  },
  find: async function* (search) {
    for await (const { name, address, port } of search.services('_shelly._tcp.local'))
      yield { address: port === PORT ? address : `${address}:${port}`, description: name };
  },
};

async function getStatus(device: SourceDevice): Promise<SourceReply> {
  const { address = '', secrets } = device;
  const url = `${deviceUrl(address, PORT)}${PATH}`;
  const reply = await device.fetch({ url, accepts: [401, 404] });
  if (reply.status === 404)
    throw new SourceFailure(
      'The device has no Shelly.GetStatus. Only Shelly devices of the second generation and later have it.',
      {
        needsOwner: true,
      },
    );
  if (reply.status !== 401) return reply;
  const { password } = secrets;
  if (password === undefined)
    throw new SourceFailure('The device wants a password: put "password=…" into the file with secrets.', {
      needsOwner: true,
    });
  const challenge = reply.headers['www-authenticate'] ?? '';
  const authorization = digestAuthorization(challenge, { user: USER, password, method: 'GET', path: PATH });
  if (authorization === undefined)
    throw new SourceFailure('The device wants an authentication that this service does not know.', {
      needsOwner: true,
    });
  return await device.fetch({ url, headers: { authorization } });
}

function reportOf(status: JsonObject): SourceReport {
  const readings: Reading[] = [];
  const fields = new Fields();
  const sensors: SensorState[] = [];
  for (const [field, component] of Object.entries(status)) {
    const own = READINGS.get(field);
    const [name = ''] = field.split(':');
    const [member, unit] = FIELDS.get(name) ?? [];
    const value = member === undefined ? undefined : numberAt(component, member);
    if (value !== undefined && own !== undefined)
      readings.push({ field, variable: own[1], unit: own[2], value });
    else if (value !== undefined) fields.add(field, { value, unit });
    const battery = name === 'devicepower' ? batteryOf(field, memberOf(component, 'battery')) : undefined;
    if (battery !== undefined) sensors.push(battery);
  }
  const signal = numberAt(memberOf(status, 'wifi'), 'rssi');
  if (signal !== undefined && signal < 0) sensors.push({ sensor: 'wifi', signal });
  const runtime = numberAt(memberOf(status, 'sys'), 'uptime');
  return {
    time: undefined,
    readings,
    fields: fields.list,
    sensors,
    ...(runtime !== undefined && { runtime }),
  };
}

function batteryOf(sensor: string, battery: unknown): SensorState | undefined {
  const [percent, voltage] = [numberAt(battery, 'percent'), numberAt(battery, 'V')];
  if (percent === undefined && voltage === undefined) return undefined;
  return {
    sensor,
    ...(percent !== undefined && { batteryPercent: percent }),
    ...(voltage !== undefined && { batteryVoltage: voltage }),
  };
}
