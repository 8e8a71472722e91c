import { createHash } from 'node:crypto';
import { httpDevice, type DeviceReply, type HttpDevice } from './http-device.js';

/** The status of a Shelly with an add-on, a battery and a sensor that it receives over Bluetooth. */
export const STATUS = {
  'temperature:0': { id: 0, tC: 19.8, tF: 67.6 },
  'humidity:0': { id: 0, rh: 42.2 },
  'temperature:100': { id: 100, tC: 4.3, tF: 39.7 },
  'humidity:100': { id: 100, rh: 88.1 },
  'voltmeter:100': { id: 100, voltage: 3.14 },
  'illuminance:0': { id: 0, lux: 120, illumination: 'twilight' },
  'bthomesensor:200': { id: 200, value: 1013.2, last_updated_ts: 1_795_780_000 },
  'devicepower:0': { id: 0, battery: { V: 5.1, percent: 88 }, external: { present: false } },
  'switch:0': { id: 0, output: false, temperature: { tC: 44, tF: 111 } },
  cloud: { connected: false },
  wifi: { sta_ip: '192.168.1.40', status: 'got ip', ssid: 'home', rssi: -61 },
  sys: { mac: 'A8032ABE54DC', uptime: 4711, unixtime: null },
};

interface ShellyOptions {
  readonly status?: unknown;
  readonly password?: string;
  readonly reply?: DeviceReply;
  /** The challenge in place of that of a Shelly. */
  readonly challenge?: string;
}

const NONCE = '60dc2c09';
const REALM = 'shellyplusht-a8032abe54dc';

/** A Shelly of the second generation. With a password it wants digest authentication, as RFC 7616 says. */
export async function shellyDevice({
  status = STATUS,
  password,
  reply,
  challenge = `Digest qop="auth", realm="${REALM}", nonce="${NONCE}", algorithm=SHA-256`,
}: ShellyOptions = {}): Promise<HttpDevice> {
  return await httpDevice(({ path, headers }) => {
    if (path !== '/rpc/Shelly.GetStatus') return undefined;
    if (reply !== undefined) return reply;
    if (password === undefined || isAuthorized(headers.authorization ?? '', path, password))
      return { body: status };
    return { status: 401, headers: { 'www-authenticate': challenge }, body: '' };
  });
}

function isAuthorized(header: string, path: string, password: string): boolean {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const value = (name: string) => new RegExp(`[ ,]${name}="?([^",]+)"?`).exec(header)?.[1] ?? '';
  const [first, second] = [sha256(`admin:${REALM}:${password}`), sha256(`GET:${path}`)];
  const expected = sha256(`${first}:${NONCE}:${value('nc')}:${value('cnonce')}:auth:${second}`);
  return (
    header.startsWith('Digest ') &&
    value('nonce') === NONCE &&
    value('uri') === path &&
    value('response') === expected
  );
}
