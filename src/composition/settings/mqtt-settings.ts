import { z } from 'zod';
import { ALL_STATIONS } from '#application/publishing/selected-stations.js';
import { list, optional, setting, word } from './setting.js';

/** The topic of the messages with which Home Assistant finds devices. */
const HOME_ASSISTANT = 'homeassistant';

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

/** Largest length of the topic, in characters. A complete topic also has the id of a station, of at most 64 characters. */
const MAX_TOPIC = 200;

/**
 * Whether messages can be published below a topic: it has no wildcard, no control character and no empty level, and is neither a topic
 * of the broker (`$SYS`) nor one of Home Assistant.
 */
const isBaseTopic = (text: string) =>
  text.length <= MAX_TOPIC &&
  text.isWellFormed() &&
  !/[+#\p{Cc}]/u.test(text) &&
  !text.startsWith('$') &&
  text.split('/').every((level) => level !== '') &&
  text.split('/')[0] !== HOME_ASSISTANT;

const baseTopic = z
  .string()
  .refine(
    isBaseTopic,
    `Must be a topic such as weatherd or home/weather, without + and #, and not below ${HOME_ASSISTANT}`,
  );

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
  MQTT_PUBLISH: optional(
    baseTopic,
    'Topic below which the newest values are published at the broker, for example `weatherd`; Home Assistant finds the stations by itself ([home-assistant.md](home-assistant.md)).',
  ),
  MQTT_PUBLISH_STATIONS: setting(
    list,
    ALL_STATIONS,
    'Ids of the stations that are published, separated by commas. `*` stands for all stations that are neither hidden nor of the demo.',
  ),
} as const;

/** Checks the settings of the broker against each other. @param setNames the names of all settings that were set */
export function checkMqttSettings(url: string | undefined, setNames: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const names = ['MQTT_USERNAME', 'MQTT_PASSWORD', 'MQTT_CA', 'MQTT_PUBLISH'];
  for (const name of names)
    if (setNames.has(name) && !setNames.has('MQTT_URL'))
      faults.push(`WEATHERD_${name}: set WEATHERD_MQTT_URL too`);
  if (setNames.has('MQTT_PASSWORD') && !setNames.has('MQTT_USERNAME'))
    faults.push('WEATHERD_MQTT_PASSWORD: set WEATHERD_MQTT_USERNAME too');
  if (setNames.has('MQTT_URL') && !setNames.has('MQTT_MAPPING') && !setNames.has('MQTT_PUBLISH'))
    faults.push(
      'WEATHERD_MQTT_URL: set WEATHERD_MQTT_MAPPING too, the file that maps fields of messages to variables, or WEATHERD_MQTT_PUBLISH',
    );
  if (setNames.has('MQTT_PUBLISH_STATIONS') && !setNames.has('MQTT_PUBLISH'))
    faults.push('WEATHERD_MQTT_PUBLISH_STATIONS: set WEATHERD_MQTT_PUBLISH too');
  if (setNames.has('MQTT_CA') && url?.startsWith('mqtt:'))
    faults.push(
      'WEATHERD_MQTT_CA: this setting needs a broker with TLS: set WEATHERD_MQTT_URL to mqtts://HOST:PORT',
    );
  return faults;
}
