import { z } from 'zod';
import { optional, word } from './setting.js';

/** Whether a text is a URL of a broker without credentials. Credentials have separate settings, because `weatherd config` prints the URL. */
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

/** The settings of the MQTT broker, for `SETTING_TABLE`. */
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

/** Checks the settings of the broker against each other. @param setNames the names of all settings that were set */
export function checkMqttSettings(url: string | undefined, setNames: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const names = ['MQTT_USERNAME', 'MQTT_PASSWORD', 'MQTT_CA'];
  for (const name of names)
    if (setNames.has(name) && !setNames.has('MQTT_URL'))
      faults.push(`WEATHERD_${name}: set WEATHERD_MQTT_URL too`);
  if (setNames.has('MQTT_PASSWORD') && !setNames.has('MQTT_USERNAME'))
    faults.push('WEATHERD_MQTT_PASSWORD: set WEATHERD_MQTT_USERNAME too');
  if (setNames.has('MQTT_URL') && !setNames.has('MQTT_MAPPING'))
    faults.push(
      'WEATHERD_MQTT_URL: set WEATHERD_MQTT_MAPPING too, the file that maps fields of messages to variables',
    );
  if (setNames.has('MQTT_CA') && url?.startsWith('mqtt:'))
    faults.push(
      'WEATHERD_MQTT_CA: this setting needs a broker with TLS: set WEATHERD_MQTT_URL to mqtts://HOST:PORT',
    );
  return faults;
}
