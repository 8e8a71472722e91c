import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { PERIOD_RULE, periodOf } from '#domain/time.js';
import { isTransport, TRANSPORTS } from '../modules/transports.js';
import { BACKUP_SETTINGS, checkBackupSettings } from './backup-settings.js';
import { checkDatabaseSettings, DATABASE_SETTINGS } from './database-settings.js';
import { duration } from './durations.js';
import { checkMqttSettings, MQTT_SETTINGS } from './mqtt-settings.js';
import { checkWorkerSettings, WORKER_SETTINGS } from './worker-settings.js';

/**
 * All settings, by the name of the environment variable without `WEATHERD_`. Reading, checking and printing use this
 * table, and a test that docs/configuration.md lists all of them. Values are text. Numbers, booleans and lists of a
 * file are turned into text first.
 */

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const port = (initial: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'Must be a port number, 0 to 65535')
    .transform(Number)
    .refine((value) => value <= 65_535, 'Must be a port number, 0 to 65535')
    .default(initial);

const wholeNumber = (initial: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Must be a whole number')
    .transform(Number)
    .default(initial);

const flag = (initial: boolean) =>
  z
    .enum(['true', 'false'], 'Must be true or false')
    .transform((value) => value === 'true')
    .default(initial);

const list = () =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .default([]);

/** `10y`, `400d` → whole seconds. */
const period = z
  .string()
  .transform((text) => (periodOf(text) ?? Number.NaN) / 1000)
  .refine((seconds) => !Number.isNaN(seconds), `Must be ${PERIOD_RULE}`);

const word = () => z.string().min(1, 'Must not be empty');

/** Length of a socket's path in bytes, the smallest limit of the supported systems. */
const MAX_SOCKET_PATH = 103;

const internalHost = word().refine((value) => {
  const path = socketPath(value);
  return path === undefined || (path.startsWith('/') && Buffer.byteLength(path) <= MAX_SOCKET_PATH);
}, `Must be a host, an address, or unix:/PATH with at most ${MAX_SOCKET_PATH} bytes`);

const tcpHost = word().refine((value) => socketPath(value) === undefined, 'Must be a host or an address');

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
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/**
 * Smallest number of different characters in a secret. A secret with fewer is not random: somebody held down a key or
 * repeated a word.
 */
const MIN_DISTINCT_CHARACTERS = 8;

/** Visible ASCII, because it is sent in a header (RFC 6750). */
const secret = z
  .string()
  .min(32, 'Must have at least 32 bytes')
  .regex(/^[!-~]*$/, 'Must be visible ASCII without spaces')
  .refine(
    (value) => new Set(value).size >= MIN_DISTINCT_CHARACTERS,
    `Must have at least ${MIN_DISTINCT_CHARACTERS} different characters; make it with: openssl rand -hex 32`,
  );

export const SETTINGS = {
  EXTERNAL_TRANSPORT: word().default('express'),
  EXTERNAL_HOST: tcpHost.default('127.0.0.1'),
  EXTERNAL_PORT: port(8080),
  EXTERNAL_TLS_CERT: word().optional(),
  EXTERNAL_TLS_KEY: word().optional(),
  EXTERNAL_TLS_TERMINATED: flag(false),
  EXTERNAL_INSECURE: flag(false),
  EXTERNAL_ALLOWED_ORIGINS: list().pipe(z.array(origin)),
  INTERNAL_TRANSPORT: word().default('fastify'),
  INTERNAL_HOST: internalHost.default('127.0.0.1'),
  INTERNAL_PORT: port(8081),
  INTERNAL_SECRET: secret.optional(),
  INTERNAL_ALLOWED_HOSTS: list(),
  UPLOADS_ENABLED: flag(false),
  UPLOADS_HOST: tcpHost.default('127.0.0.1'),
  UPLOADS_PORT: port(8082),
  UPLOADS_INSECURE: flag(false),
  SITE: flag(true),
  DATA_DIR: word().default('./data'),
  ...DATABASE_SETTINGS,
  DATABASE_DISTRIBUTED: flag(false),
  READ_ACCESS: z.enum(['public', 'token'], 'Must be public or token').default('public'),
  AUTH_ENABLED: flag(true),
  TOKEN_DURATION: duration('30d', '365d'),
  ELEVATION_DURATION: duration('5m', '15m'),
  AUDIT_RETENTION: duration('365d', '3650d'),
  RETENTION: period.optional(),
  RATE_LIMIT: wholeNumber(6000),
  TRUSTED_PROXIES: list().pipe(z.array(addressBlock)),
  METRICS_STATIONS: flag(false),
  HOOKS_ALLOW_PRIVATE: flag(false),
  ...MQTT_SETTINGS,
  ...BACKUP_SETTINGS,
  LOG_LEVEL: z.enum(LOG_LEVELS, `Must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  SHUTDOWN_DEADLINE: duration('10s', '1h'),
  ...WORKER_SETTINGS,
} as const;

export type SettingName = keyof typeof SETTINGS;

export type Config = { readonly [K in SettingName]: z.output<(typeof SETTINGS)[K]> };

/** Settings that are never printed and that may come from a file, named by the same setting with `_FILE`. */
export const SECRET_SETTINGS: readonly SettingName[] = [
  'INTERNAL_SECRET',
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'MQTT_PASSWORD',
];

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** The path of `unix:/path`; undefined for a host. */
export function socketPath(host: string): string | undefined {
  return host.startsWith('unix:') ? host.slice('unix:'.length) : undefined;
}

/** Whether only this machine can reach `host`. A name other than `localhost` counts as reachable by anyone. */
export function isLoopback(host: string): boolean {
  if (socketPath(host) !== undefined) return true;
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Rules that involve several settings, or more than the text of a setting. Each fault names the settings to change.
 *
 * @param config without the settings that are faulty themselves
 * @param given the names of all settings that were set, faulty ones included
 */
export function crossCheck(config: Partial<Config>, given: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const { EXTERNAL_HOST: outerHost, INTERNAL_HOST: innerHost } = config;
  const cert = given.has('EXTERNAL_TLS_CERT');
  const key = given.has('EXTERNAL_TLS_KEY');
  if (cert !== key) faults.push('WEATHERD_EXTERNAL_TLS_CERT and WEATHERD_EXTERNAL_TLS_KEY go together');
  const secured = cert || key || config.EXTERNAL_TLS_TERMINATED !== false;
  if (outerHost !== undefined && !isLoopback(outerHost) && !secured) {
    const { EXTERNAL_INSECURE: insecure, READ_ACCESS: readAccess } = config;
    if (insecure === false)
      faults.push(
        `WEATHERD_EXTERNAL_HOST: ${outerHost} can be reached from elsewhere, so passwords need TLS: ` +
          'set WEATHERD_EXTERNAL_TLS_CERT and WEATHERD_EXTERNAL_TLS_KEY, or WEATHERD_EXTERNAL_TLS_TERMINATED=true ' +
          'behind a proxy that has them. WEATHERD_EXTERNAL_INSECURE=true is enough for reading without sign-in',
      );
    if (insecure === true && readAccess === 'token')
      faults.push(
        'WEATHERD_EXTERNAL_INSECURE and WEATHERD_READ_ACCESS=token: nobody can read, because tokens are refused without TLS: ' +
          'set WEATHERD_READ_ACCESS=public, or set up TLS',
      );
  }
  if (innerHost !== undefined && !isLoopback(innerHost) && !given.has('INTERNAL_SECRET')) {
    faults.push(
      `WEATHERD_INTERNAL_HOST: ${innerHost} can be reached from elsewhere: ` +
        'set WEATHERD_INTERNAL_SECRET or WEATHERD_INTERNAL_SECRET_FILE to at least 32 bytes',
    );
  }
  const { UPLOADS_HOST: uploadsHost } = config;
  const isPlain = config.UPLOADS_ENABLED === true && config.UPLOADS_INSECURE === false;
  if (isPlain && uploadsHost !== undefined && !isLoopback(uploadsHost)) {
    faults.push(
      `WEATHERD_UPLOADS_HOST: ${uploadsHost} can be reached from elsewhere, and upload keys are sent without TLS there: ` +
        'set WEATHERD_UPLOADS_INSECURE=true if the consoles cannot do better. Consoles with TLS send to the external API',
    );
  }
  for (const name of ['EXTERNAL_TRANSPORT', 'INTERNAL_TRANSPORT'] as const) {
    const transport = config[name];
    if (transport !== undefined && !isTransport(transport)) {
      const known = Object.keys(TRANSPORTS).join(', ');
      faults.push(
        `WEATHERD_${name}: the transport ${transport} cannot be loaded: there is no such file or package (${known})`,
      );
    }
  }
  faults.push(...checkDatabaseSettings(config.DATABASE_URL, given));
  faults.push(...checkMqttSettings(config.MQTT_URL, given));
  faults.push(...checkBackupSettings(config, given));
  faults.push(...checkWorkerSettings(config.WORKERS, config.DATABASE_URL));
  return faults;
}
