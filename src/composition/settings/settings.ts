import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { PERIOD_RULE, periodOf } from '#domain/time.js';
import { isTransport, TRANSPORTS } from '../modules/transports.js';
import { BACKUP_SETTINGS, checkBackupSettings } from './backup-settings.js';
import { checkDatabaseSettings, DATABASE_SETTINGS } from './database-settings.js';
import { duration } from './durations.js';
import { optional, setting, word } from './setting.js';
import { checkMqttSettings, MQTT_SETTINGS } from './mqtt-settings.js';
import { WORKER_SETTINGS } from './worker-settings.js';

/**
 * All settings, by the name of the environment variable without `WEATHERD_`. Reading, checking, printing and
 * docs/configuration.md use this table. Values are text; numbers, booleans and lists in a file are first converted to text.
 */

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'Must be a port number, 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'Must be a port number, 0 to 65535');

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'Must be a whole number')
  .transform(Number);

const flag = z.enum(['true', 'false'], 'Must be true or false').transform((value) => value === 'true');

const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** A period such as `10y` or `400d`, converted to seconds. */
const period = z
  .string()
  .transform((text) => (periodOf(text) ?? Number.NaN) / 1000)
  .refine((seconds) => !Number.isNaN(seconds), `Must be ${PERIOD_RULE}`);

/** Largest number of bytes of a socket's path: the smallest limit of the supported systems. */
export const MAX_SOCKET_PATH = 103;

const internalHost = word.refine((value) => {
  const path = socketPath(value);
  return path === undefined || (path.startsWith('/') && Buffer.byteLength(path) <= MAX_SOCKET_PATH);
}, `Must be a host, an address, or unix:/PATH with at most ${MAX_SOCKET_PATH} bytes`);

const tcpHost = word.refine((value) => socketPath(value) === undefined, 'Must be a host or an address');

const isOrigin = (value: string) => URL.canParse(value) && new URL(value).origin === value;

const origin = z.string().refine((value) => value === '*' || isOrigin(value), {
  error: ({ input }) =>
    isOrigin(/^.*[^/]/.exec(String(input))?.[0] ?? '')
      ? 'Must be an origin without the slash at its end'
      : 'Must be an origin such as https://weather.example.org, or *',
});

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
 * Smallest number of different characters in a secret. A secret with fewer different characters is not random, for example a repeated
 * character or word.
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
  EXTERNAL_TRANSPORT: setting(word, 'express', '`express`, `fastify`, a path to a module, or a package'),
  EXTERNAL_HOST: setting(tcpHost, '127.0.0.1', 'address to listen on'),
  EXTERNAL_PORT: setting(port, '8080', 'port; 0 means any free port, which is printed'),
  EXTERNAL_TLS_CERT: optional(word, 'PEM file with the certificate chain', { reloads: true }),
  EXTERNAL_TLS_KEY: optional(word, 'PEM file with the private key of the certificate', { reloads: true }),
  EXTERNAL_TLS_TERMINATED: setting(flag, 'false', '`true` behind a proxy that has the certificate'),
  EXTERNAL_INSECURE: setting(
    flag,
    'false',
    '`true` allows an address that other machines reach without TLS, for reading and pages only: sign-in, tokens, keys and changes get 403 `TLS_REQUIRED` ([security.md](security.md#duties-of-the-operator))',
  ),
  EXTERNAL_ALLOWED_ORIGINS: setting(
    list.pipe(z.array(origin)),
    '',
    'origins of web pages that may call the API (CORS), separated by commas, or `*`; the log names refused origins',
  ),
  INTERNAL_TRANSPORT: setting(word, 'fastify', '`express`, `fastify`, a path to a module, or a package'),
  INTERNAL_HOST: setting(
    internalHost,
    '127.0.0.1',
    'address to listen on, or `unix:/PATH` for a Unix domain socket (mode 0660)',
  ),
  INTERNAL_PORT: setting(port, '8081', 'port; 0 means any free port, which is printed'),
  INTERNAL_SECRET: optional(
    secret,
    'secret of at least 32 bytes, which callers send as a bearer token; or `…_SECRET_FILE`',
    { secret: true },
  ),
  INTERNAL_ALLOWED_HOSTS: setting(
    list,
    '',
    'host names that are accepted in `Host` and `Origin`, in addition to loopback and the address of the listener',
  ),
  UPLOADS_ENABLED: setting(
    flag,
    'false',
    '`true`: weather stations can push their values to a separate listener; if the external API has TLS, also to the external API',
  ),
  UPLOADS_HOST: setting(tcpHost, '127.0.0.1', 'address to listen on, with plain HTTP'),
  UPLOADS_PORT: setting(port, '8082', 'port; 0 means any free port, which is printed'),
  UPLOADS_INSECURE: setting(
    flag,
    'false',
    '`true` allows an address that other machines reach: most consoles do not support TLS, so their upload keys can be read on the way',
  ),
  SITE: setting(
    flag,
    'true',
    '`false`: the service has no pages for browsers; `GET /` is JSON for everybody',
  ),
  DATA_DIR: setting(
    word,
    './data',
    'folder of the data file and the signing keys; use a temporary folder for temporary data',
  ),
  ...DATABASE_SETTINGS,
  DATABASE_DISTRIBUTED: setting(
    flag,
    'false',
    '`true`: PostgreSQL with Citus distributes the tables of observations over its workers ([scaling.md](scaling.md))',
  ),
  ...BACKUP_SETTINGS,
  READ_ACCESS: setting(
    z.enum(['public', 'token'], 'Must be public or token'),
    'public',
    '`token`: only signed-in users may read weather data',
  ),
  AUTH_ENABLED: setting(flag, 'true', '`false`: nobody can sign in'),
  TOKEN_DURATION: setting(duration('365d'), '30d', 'lifetime of a token: `90s`, `15m`, `12h`, `30d`', {
    kind: 'duration',
  }),
  ELEVATION_DURATION: setting(
    duration('15m'),
    '5m',
    'default lifetime of an elevated token; at most 15 minutes',
    { kind: 'duration' },
  ),
  AUDIT_RETENTION: setting(duration('3650d'), '365d', 'time for which events are kept in the audit trail', {
    kind: 'duration',
  }),
  RETENTION: optional(
    period,
    'time for which observations are kept, in whole months: `400d`, `10y`; if unset, they are kept forever',
    { kind: 'period' },
  ),
  RATE_LIMIT: setting(
    wholeNumber,
    '6000',
    'requests per minute to the external API from one address (IPv6: a /64), counted by each worker process; 0 means no limit',
  ),
  TRUSTED_PROXIES: setting(
    list.pipe(z.array(addressBlock)),
    '',
    'addresses or CIDR blocks of proxies whose `X-Forwarded-For` is used',
  ),
  METRICS_STATIONS: setting(
    flag,
    'false',
    '`true`: `GET /metrics` has the age of the newest observation of each station ([operating.md](operating.md#metrics))',
  ),
  HOOKS_ALLOW_PRIVATE: setting(
    flag,
    'false',
    '`true`: all hooks and alarms may post to private addresses, even if they were created over HTTP ([hooks.md](hooks.md#addresses))',
  ),
  ...MQTT_SETTINGS,
  ...WORKER_SETTINGS,
  LOG_LEVEL: setting(
    z.enum(LOG_LEVELS, `Must be one of ${LOG_LEVELS.join(', ')}`),
    'info',
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent`',
    { reloads: true },
  ),
  SHUTDOWN_DEADLINE: setting(duration('1h'), '10s', 'time for requests in progress to finish at shutdown', {
    kind: 'duration',
  }),
} as const;

export type SettingName = keyof typeof SETTING_TABLE;

export type Config = { readonly [K in SettingName]: z.output<(typeof SETTING_TABLE)[K]['schema']> };

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
        `WEATHERD_${name}: the transport ${transport} cannot be loaded: no file or package has this name (transports: ${known})`,
      );
    }
  }
  faults.push(...checkDatabaseSettings(config.DATABASE_URL, setNames));
  faults.push(...checkMqttSettings(config.MQTT_URL, setNames));
  faults.push(...checkBackupSettings(config, setNames));
  return faults;
}
