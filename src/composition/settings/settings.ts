import type { UploadListening } from '#application/ports/upload-listening.js';
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { LANGUAGES } from '#application/alarms/words/alarm-words.js';
import { PERIOD_RULE, periodOf } from '#domain/time.js';
import { FEELS_LIKE_NAMES, type FeelsLikeName } from '#domain/weather/derived/comfort/feels-like.js';
import { isModule, UNKNOWN_MODULE } from '../modules/module-name.js';
import { isTransport, TRANSPORTS } from '../modules/transports.js';
import { BACKUP_SETTINGS, checkBackupSettings } from './backup-settings.js';
import { checkDatabaseSettings, DATABASE_SETTINGS } from './database-settings.js';
import { duration } from './durations.js';
import { FORECAST_SETTINGS } from './forecast-settings.js';
import { list, optional, setting, word } from './setting.js';
import { checkMailSettings, MAIL_SETTINGS } from './mail-settings.js';
import { checkMqttSettings, MQTT_SETTINGS } from './mqtt-settings.js';
import { WORKER_SETTINGS } from './worker-settings.js';

/**
 * This file defines all settings. `SETTING_TABLE` has them by the name of the environment variable without `WEATHERD_`. Reading,
 * checking, printing and docs/configuration.md use this table. All values are text: numbers, booleans and lists in a file are
 * first converted to text.
 */

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'Must be a port number, 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'Must be a port number, 0 to 65535');

/** @param max at most nine digits */
const wholeNumber = (min: number, max: number) => {
  const rule = `Must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule);
};

const SIZES = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 } as const;

/** A number of bytes, such as `200MiB`. */
const size = z
  .string()
  .regex(/^[1-9]\d{0,9}(?:KiB|MiB|GiB)$/, 'Must be a size such as 200MiB or 2GiB')
  .transform((text) => Number.parseInt(text, 10) * SIZES[text.slice(-3) as keyof typeof SIZES]);

/** The default of `IMPORT_LIMIT`, in bytes. */
export const DEFAULT_IMPORT_LIMIT = 2 ** 30;

/** The default of `FEELS_LIKE`. */
export const DEFAULT_FEELS_LIKE: FeelsLikeName = 'apparent_temperature';

const flag = z.enum(['true', 'false'], 'Must be true or false').transform((value) => value === 'true');

/** A period such as `10y` or `400d`, converted to seconds. */
const period = z
  .string()
  .transform((text) => (periodOf(text) ?? Number.NaN) / 1000)
  .refine((seconds) => !Number.isNaN(seconds), `Must be ${PERIOD_RULE}`);

/** Largest number of bytes in the path of a socket. It is the smallest limit of the supported systems. */
export const MAX_SOCKET_PATH = 103;

/** Whether a text can be the name of a host or an IP address. A last label of digits ends an IPv4 address (`999.1.1.1`). */
function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const lastLabel = text.split('.').findLast((label) => label !== '') ?? '';
  return /^[\p{L}\p{N}._-]+$/u.test(text) && !/^\d*$/.test(lastLabel);
}

const internalHost = word.refine((value) => {
  const path = socketPath(value);
  return path === undefined
    ? isHost(value)
    : path.startsWith('/') && Buffer.byteLength(path) <= MAX_SOCKET_PATH;
}, `Must be the name of a host, an IP address, or unix:/PATH with at most ${MAX_SOCKET_PATH} bytes`);

const tcpHost = word.refine(isHost, 'Must be the name of a host or an IP address');

const isOrigin = (value: string) => URL.canParse(value) && new URL(value).origin === value;

const origin = z.string().refine((value) => value === '*' || isOrigin(value), {
  error: ({ input }) =>
    isOrigin(/^.*[^/]/.exec(String(input))?.[0] ?? '')
      ? 'Must be an origin without the slash at its end'
      : 'Must be an origin such as https://weather.example.org, or *',
});

/** The address of a site without the slash at its end. Credentials are refused, because the address is shown to others. */
const publicUrl = z
  .string()
  .refine((value) => {
    if (!URL.canParse(value)) return false;
    const { protocol, username, password, search, hash } = new URL(value);
    return ['http:', 'https:'].includes(protocol) && `${username}${password}${search}${hash}` === '';
  }, 'Must be an address such as https://weather.example.org')
  .transform((value) => (value.endsWith('/') ? value.slice(0, -1) : value));

const addressBlock = z
  .string()
  .refine(isAddressBlock, 'Must be an IP address or a CIDR block such as 10.0.0.0/8');

function isAddressBlock(text: string): boolean {
  const [address = '', prefix, ...others] = text.split('/');
  const version = isIP(address);
  if (version === 0 || others.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/**
 * Smallest number of different characters in a secret. A secret with fewer different characters, for example a repeated character
 * or word, is not random.
 */
const MIN_DISTINCT_CHARACTERS = 8;

/** A secret of visible ASCII characters, because it is sent in a header (RFC 6750). */
const secret = z
  .string()
  .min(32, 'Must have at least 32 bytes')
  .regex(/^[!-~]*$/, 'Must be visible ASCII without spaces')
  .refine(
    (value) => new Set(value).size >= MIN_DISTINCT_CHARACTERS,
    `Must have at least ${MIN_DISTINCT_CHARACTERS} different characters; create it with: openssl rand -hex 32`,
  );

export const SETTING_TABLE = {
  EXTERNAL_TRANSPORT: setting(
    word,
    'express',
    'HTTP transport of the external API: `express`, `fastify`, the path of a module, or a package.',
  ),
  EXTERNAL_HOST: setting(tcpHost, '127.0.0.1', 'Address to listen on.'),
  EXTERNAL_PORT: setting(port, '8080', 'Port to listen on. 0 selects a free port and prints it.'),
  EXTERNAL_TLS_CERT: optional(word, 'File with the certificate chain (PEM).', { reloads: true }),
  EXTERNAL_TLS_KEY: optional(word, 'File with the private key of the certificate (PEM).', { reloads: true }),
  EXTERNAL_TLS_TERMINATED: setting(
    flag,
    'false',
    '`true` if a proxy in front of the service has the certificate.',
  ),
  EXTERNAL_INSECURE: setting(
    flag,
    'false',
    '`true` allows an address that other machines can reach without TLS, for reading and pages only. Sign-in, tokens, keys and changes get 403 `TLS_REQUIRED` ([security.md](security.md#duties-of-the-operator)).',
  ),
  EXTERNAL_ALLOWED_ORIGINS: setting(
    list.pipe(z.array(origin)),
    '',
    'Origins of web pages that may call the API (CORS), separated by commas, or `*`. The log contains refused origins.',
  ),
  INTERNAL_TRANSPORT: setting(
    word,
    'fastify',
    'HTTP transport of the internal API: `express`, `fastify`, the path of a module, or a package.',
  ),
  INTERNAL_HOST: setting(
    internalHost,
    '127.0.0.1',
    'Address to listen on, or `unix:/PATH` for a Unix domain socket (mode 0660).',
  ),
  INTERNAL_PORT: setting(port, '8081', 'Port to listen on. 0 selects a free port and prints it.'),
  INTERNAL_SECRET: optional(secret, 'Secret of at least 32 bytes. Callers send it as a bearer token.', {
    secret: true,
  }),
  INTERNAL_ALLOWED_HOSTS: setting(
    list,
    '',
    'Host names that are accepted in `Host` and `Origin`, separated by commas, in addition to loopback and the address of the listener.',
  ),
  UPLOADS_ENABLED: setting(
    flag,
    'false',
    '`true` opens a listener to which stations push their values. If the external API has TLS, it accepts the same uploads ([uploads.md](uploads.md)). Without this setting, `WEATHERD_UPLOADS_HOST` and `WEATHERD_UPLOADS_INSECURE`, an administrator chooses in the browser.',
  ),
  UPLOADS_HOST: setting(tcpHost, '127.0.0.1', 'Address to listen on, with plain HTTP.'),
  UPLOADS_PORT: setting(port, '8082', 'Port to listen on. 0 selects a free port and prints it.'),
  UPLOADS_INSECURE: setting(
    flag,
    'false',
    '`true` allows an address that other machines can reach. Most consoles do not support TLS, so others on the network can read their upload keys.',
  ),
  SITE: setting(
    flag,
    'true',
    '`false` turns the pages for browsers off. `GET /` then returns JSON to everybody.',
  ),
  SITE_MAP: optional(
    word,
    'File in the format PMTiles, version 3, with the vector tiles of a map of streets, for the map of stations ([service.md](operating/service.md#streets-on-the-map)).',
  ),
  PUBLIC_URL: optional(
    publicUrl,
    'Address at which visitors reach the pages, for example `https://weather.example.org`. Home Assistant and messages of alarms link to the pages of stations with it, and the links under `/ogc` begin with it.',
  ),
  DATA_DIR: setting(
    word,
    './data',
    'Folder of the data file and the signing keys. Use a temporary folder for data that need not be kept.',
  ),
  ...DATABASE_SETTINGS,
  DATABASE_DISTRIBUTED: setting(
    flag,
    'false',
    '`true` distributes the tables of observations over the workers of PostgreSQL with Citus ([scaling.md](scaling.md#a-distributed-database)).',
  ),
  ...BACKUP_SETTINGS,
  FEELS_LIKE: setting(
    z.enum(FEELS_LIKE_NAMES, `Must be one of ${FEELS_LIKE_NAMES.join(', ')}`),
    DEFAULT_FEELS_LIKE,
    `Quantity that the pages show as "Feels like", and the API as \`feels_like\`: ${FEELS_LIKE_NAMES.map((name) => `\`${name}\``).join(', ')} ([derived-quantities.md](weather/derived-quantities.md#feels-like)).`,
  ),
  READ_ACCESS: setting(
    z.enum(['public', 'token'], 'Must be public or token'),
    'public',
    '`public` lets everybody read weather data; `token` lets only signed-in users read it.',
  ),
  AUTH_ENABLED: setting(flag, 'true', '`false` turns sign-in off.'),
  TOKEN_DURATION: setting(
    duration('365d'),
    '30d',
    'Lifetime of a token, for example `90s`, `15m`, `12h`, `30d`.',
    {
      kind: 'duration',
    },
  ),
  ELEVATION_DURATION: setting(
    duration('15m'),
    '5m',
    'Default lifetime of an elevated token, at most 15 minutes.',
    { kind: 'duration' },
  ),
  AUDIT_RETENTION: setting(duration('3650d'), '365d', 'How long events are kept in the audit trail.', {
    kind: 'duration',
  }),
  RETENTION: optional(
    period,
    'How long observations are kept, for example `400d`, `10y`. They are removed by whole months, when all observations of a month are older. Without it they are never removed.',
    { kind: 'period' },
  ),
  RATE_LIMIT: setting(
    wholeNumber(0, 999_999_999),
    '6000',
    'Maximum number of requests per minute to the external API from one address (IPv6: a /64). Each worker process counts for itself. 0 means no limit.',
  ),
  TRUSTED_PROXIES: setting(
    list.pipe(z.array(addressBlock)),
    '',
    'Addresses or CIDR blocks of the proxies whose `X-Forwarded-For` is used, separated by commas.',
  ),
  OPENMETEO_RADIUS: setting(
    wholeNumber(1, 1000),
    '20',
    'Largest distance in kilometers of the station that answers a request in the form of Open-Meteo ([clients.md](clients.md)).',
  ),
  OPENMETEO_PORT: optional(
    port,
    'Port of a listener that has the routes of Open-Meteo at its root (`/v1/forecast`), for clients that know only a host. It listens on `WEATHERD_EXTERNAL_HOST`, with the same transport, certificate and limits.',
  ),
  IMPORT_LIMIT: setting(
    size,
    '1GiB',
    'Largest file that can be imported over HTTP, for example `200MiB`, `2GiB` ([import.md](import.md#over-http)).',
    { kind: 'size' },
  ),
  METRICS_STATIONS: setting(
    flag,
    'false',
    '`true` adds the age of the newest observation of each station to `GET /metrics` ([metrics.md](operating/metrics.md)).',
  ),
  LANGUAGE: setting(
    z.enum(LANGUAGES, `Must be one of ${LANGUAGES.join(', ')}`),
    'en',
    'Language of the messages of alarms to people (ntfy, Telegram, Gotify, mail, templates): `en`, `de` or `nl`.',
  ),
  HOOKS_ALLOW_PRIVATE: setting(
    flag,
    'false',
    '`true` lets hooks and alarms post to private addresses, including hooks and alarms that were created over HTTP. Administrators see the replies in tests of targets ([hooks.md](hooks.md#addresses)).',
  ),
  IMPORT_FORMAT_MODULES: setting(
    list,
    '',
    'Modules with further import formats, paths or packages separated by commas ([import.md](import.md#formats-of-your-own)).',
  ),
  ...FORECAST_SETTINGS,
  SOURCE_MODULES: setting(
    list,
    '',
    'Modules with further kinds of sources, paths or packages separated by commas ([sources.md](sources.md#kinds-of-your-own)).',
  ),
  TARGET_MODULES: setting(
    list,
    '',
    'Modules with further services that receive weather or messages, paths or packages separated by commas ([targets.md](targets.md#kinds-of-your-own)).',
  ),
  ...MAIL_SETTINGS,
  ...MQTT_SETTINGS,
  ...WORKER_SETTINGS,
  LOG_LEVEL: setting(
    z.enum(LOG_LEVELS, `Must be one of ${LOG_LEVELS.join(', ')}`),
    'info',
    'Level of the log: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    { reloads: true },
  ),
  SHUTDOWN_DEADLINE: setting(duration('1h'), '10s', 'Maximum time at shutdown for requests in progress.', {
    kind: 'duration',
  }),
} as const;

export type SettingName = keyof typeof SETTING_TABLE;

export type Config = { readonly [K in SettingName]: z.output<(typeof SETTING_TABLE)[K]['schema']> } & {
  /** The source of the settings that say who reaches the listener for uploads (`REACH_SETTINGS`). */
  readonly uploadsSource: UploadListening['source'];
};

/** The settings that say who reaches the listener for uploads. An administrator can change them in the browser if none is set. */
export const REACH_SETTINGS = [
  'UPLOADS_ENABLED',
  'UPLOADS_HOST',
  'UPLOADS_INSECURE',
] as const satisfies SettingName[];

/** Names of the settings that are never printed and that may come from a file (suffix `_FILE`). */
export const SECRET_SETTINGS = (Object.keys(SETTING_TABLE) as SettingName[]).filter(
  (name) => SETTING_TABLE[name].secret,
);

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** The path of a host of the form `unix:/path`; undefined for other hosts. */
export function socketPath(host: string): string | undefined {
  return host.startsWith('unix:') ? host.slice('unix:'.length) : undefined;
}

/** Whether only this machine can reach `host`. A name other than `localhost` counts as reachable from other machines. */
export function isLoopback(host: string): boolean {
  if (socketPath(host) !== undefined) return true;
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Checks the rules between settings, and rules that need more than the text of a setting. Each fault names the settings to change.
 *
 * @param config the valid settings
 * @param setNames the names of all settings that were set, including invalid ones
 */
export function crossCheck(config: Partial<Config>, setNames: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const { EXTERNAL_HOST: outerHost, INTERNAL_HOST: innerHost } = config;
  const cert = setNames.has('EXTERNAL_TLS_CERT');
  const key = setNames.has('EXTERNAL_TLS_KEY');
  if (cert !== key)
    faults.push('WEATHERD_EXTERNAL_TLS_CERT and WEATHERD_EXTERNAL_TLS_KEY: set both settings or none');
  const secured = cert || key || config.EXTERNAL_TLS_TERMINATED !== false;
  if (outerHost !== undefined && !isLoopback(outerHost) && !secured) {
    const { EXTERNAL_INSECURE: insecure, READ_ACCESS: readAccess } = config;
    if (insecure === false)
      faults.push(
        `WEATHERD_EXTERNAL_HOST: other machines can reach ${outerHost}, so passwords need TLS: ` +
          'set WEATHERD_EXTERNAL_TLS_CERT and WEATHERD_EXTERNAL_TLS_KEY, or WEATHERD_EXTERNAL_TLS_TERMINATED=true ' +
          'behind a proxy with TLS. WEATHERD_EXTERNAL_INSECURE=true is enough for reading without sign-in',
      );
    if (insecure === true && readAccess === 'token')
      faults.push(
        'WEATHERD_EXTERNAL_INSECURE and WEATHERD_READ_ACCESS=token: nobody can read, because tokens are refused without TLS: ' +
          'set WEATHERD_READ_ACCESS=public, or set up TLS',
      );
  }
  if (innerHost !== undefined && !isLoopback(innerHost) && !setNames.has('INTERNAL_SECRET')) {
    faults.push(
      `WEATHERD_INTERNAL_HOST: other machines can reach ${innerHost}: ` +
        'set WEATHERD_INTERNAL_SECRET or WEATHERD_INTERNAL_SECRET_FILE to at least 32 bytes',
    );
  }
  const { UPLOADS_HOST: uploadsHost } = config;
  const isPlain = config.UPLOADS_ENABLED === true && config.UPLOADS_INSECURE === false;
  if (isPlain && uploadsHost !== undefined && !isLoopback(uploadsHost)) {
    faults.push(
      `WEATHERD_UPLOADS_HOST: other machines can reach ${uploadsHost}, and upload keys are sent to it without TLS: ` +
        'set WEATHERD_UPLOADS_INSECURE=true if the consoles do not support TLS. Consoles with TLS send to the external API',
    );
  }
  for (const name of ['EXTERNAL_TRANSPORT', 'INTERNAL_TRANSPORT'] as const) {
    const transport = config[name];
    if (transport !== undefined && !isTransport(transport)) {
      const known = Object.keys(TRANSPORTS).join(', ');
      faults.push(
        `WEATHERD_${name}: the transport ${transport} cannot be loaded: ${UNKNOWN_MODULE} (transports: ${known})`,
      );
    }
  }
  for (const name of ['IMPORT_FORMAT_MODULES', 'SOURCE_MODULES', 'TARGET_MODULES'] as const)
    for (const module of config[name] ?? [])
      if (!isModule(module))
        faults.push(`WEATHERD_${name}: the module ${module} cannot be loaded: ${UNKNOWN_MODULE}`);
  faults.push(...checkDatabaseSettings(config.DATABASE_URL, setNames));
  faults.push(...checkMailSettings(config));
  faults.push(...checkMqttSettings(config.MQTT_URL, setNames));
  faults.push(...checkBackupSettings(config, setNames));
  return faults;
}
