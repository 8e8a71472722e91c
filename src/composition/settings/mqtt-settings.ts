import { z } from 'zod';
import { optional, word } from './setting.js';

/** Credentials are settings of their own, because `weatherd config` prints the URL. */
const isBrokerUrl = (text: string) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(text);
  const isPlain = `${username}${password}${search}${hash}` === '' && ['', '/'].includes(pathname);
  return ['mqtt:', 'mqtts:'].includes(protocol) && hostname !== '' && isPlain;
};

const brokerUrl = z.string().refine(isBrokerUrl, {
  error: ({ input }) =>
    'Must be mqtt://HOST:PORT or mqtts://HOST:PORT' +
    (String(input).includes('@') ? '; set WEATHERD_MQTT_USERNAME and WEATHERD_MQTT_PASSWORD instead' : ''),
});

/** The settings of the MQTT broker, as in `SETTINGS`. */
export const MQTT_SETTINGS = {
  MQTT_URL: optional(
    brokerUrl,
    'MQTT broker: `mqtt://HOST:PORT`, or `mqtts://HOST:PORT` with TLS ([mqtt.md](mqtt.md)).',
  ),
  MQTT_USERNAME: optional(word, 'User name at the broker.'),
  MQTT_PASSWORD: optional(word, 'Password at the broker.', { secret: true }),
  MQTT_CA: optional(
    word,
    'File (PEM) with the certificates that sign the certificate of the broker. The default is the list of Node.js.',
  ),
  MQTT_MAPPING: optional(
    word,
    'JSON file that maps messages to variables, for the broker and for JSON over HTTP ([mqtt.md](mqtt.md)).',
  ),
} as const;

/** Faults between the settings of the broker. @param given the names of all settings that were set */
export function checkMqttSettings(url: string | undefined, given: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const names = ['MQTT_USERNAME', 'MQTT_PASSWORD', 'MQTT_CA'];
  for (const name of names)
    if (given.has(name) && !given.has('MQTT_URL')) faults.push(`WEATHERD_${name}: set WEATHERD_MQTT_URL too`);
  if (given.has('MQTT_PASSWORD') && !given.has('MQTT_USERNAME'))
    faults.push('WEATHERD_MQTT_PASSWORD: set WEATHERD_MQTT_USERNAME too');
  if (given.has('MQTT_URL') && !given.has('MQTT_MAPPING'))
    faults.push(
      'WEATHERD_MQTT_URL: set WEATHERD_MQTT_MAPPING too, the file that says what the messages mean',
    );
  if (given.has('MQTT_CA') && url?.startsWith('mqtt:'))
    faults.push('WEATHERD_MQTT_CA: only for a broker with TLS, mqtts://HOST:PORT');
  return faults;
}
