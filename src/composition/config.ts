import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { schemaFault } from '#adapters/formats/text/schema-fault.js';
import { locationOf } from '#adapters/store-postgres/database/location.js';
import { nearestName } from '#domain/nearest-name.js';
import { quoted } from '#domain/quoted.js';
import { reasonAt } from './reason.js';
import { type RawSetting, readBounded, readConfigFile } from './settings/config-file.js';
import { brokerCaFaults } from './settings/certificate-file.js';
import { mappingFaults } from './settings/mapping-file.js';
import { siteMapFaults } from './settings/site-map.js';
import {
  type Config,
  crossCheck,
  REACH_SETTINGS,
  SECRET_SETTINGS,
  type SettingName,
  SETTING_TABLE,
} from './settings/settings.js';

export type { Config } from './settings/settings.js';

const PREFIX = 'WEATHERD_';
const NAMES = Object.keys(SETTING_TABLE) as SettingName[];
const KNOWN = [...NAMES, ...SECRET_SETTINGS.map((name) => `${name}_FILE`)];

/** An error with all faults of the configuration, one in a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
    this.faults = faults;
  }
}

/**
 * Reads the effective configuration: the environment overrides the file, and the file overrides the defaults.
 *
 * @param file a JSON file. Its nested keys, joined with `_` and in capitals, are the names of the settings. For example, the key
 *   `port` in `external` is the setting `WEATHERD_EXTERNAL_PORT`.
 * @throws ConfigError with all faults at once
 */
export function loadConfig(file?: string, environment: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const sources = new Map([...fromFile(file, faults), ...fromEnvironment(environment)]);
  const values = readSecretFiles(sources, faults);
  const config: Partial<Record<SettingName, unknown>> = {};
  for (const name of NAMES) {
    const result = SETTING_TABLE[name].schema.safeParse(values.get(name)?.text, { error: schemaFault });
    if (result.success) config[name] = result.data;
    else
      faults.push(...result.error.issues.map(({ message }) => settingFault(name, values.get(name), message)));
  }
  for (const [name, { place }] of values) {
    if (!(name in SETTING_TABLE)) faults.push(unknownSetting(name, place));
  }
  faults.push(...crossCheck(config as Partial<Config>, new Set(values.keys())));
  if (typeof config.MQTT_MAPPING === 'string')
    faults.push(...mappingFaults(config.MQTT_MAPPING, values.has('MQTT_URL') && !values.has('MQTT_PUBLISH')));
  if (typeof config.MQTT_CA === 'string') faults.push(...brokerCaFaults(config.MQTT_CA));
  if (typeof config.SITE_MAP === 'string') faults.push(...siteMapFaults(config.SITE_MAP));
  if (faults.length > 0) throw new ConfigError(faults);
  const { DATA_DIR: dataDir, BACKUP_DIR: backupDir } = config as Config;
  return {
    ...(config as Config),
    uploadsSource: sourceOf(REACH_SETTINGS, values),
    DATA_DIR: resolve(dataDir),
    BACKUP_DIR: backupDir === undefined ? undefined : resolve(backupDir),
  };
}

/** Where settings come from: the environment, if it sets one of them, otherwise the file. */
function sourceOf(
  names: readonly SettingName[],
  values: ReadonlyMap<string, RawSetting>,
): Config['uploadsSource'] {
  const places = names.flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [value.place];
  });
  if (places.length === 0) return 'default';
  return places.includes(undefined) ? 'environment' : 'file';
}

/**
 * Returns the message about a faulty setting. The message quotes the value, unless the value may contain a secret.
 *
 * @param rule the broken rule
 */
function settingFault(name: SettingName, value: RawSetting | undefined, rule: string): string {
  const mayBeSecret = SECRET_SETTINGS.includes(name) || name.endsWith('_URL');
  const shown = value === undefined || mayBeSecret ? '' : `; it is ${quoted(value.text)}`;
  return `${PREFIX}${name}${placeText(value?.place)}: ${rule}${shown}`;
}

function placeText(place: string | undefined): string {
  return place === undefined ? '' : ` (${place})`;
}

function unknownSetting(name: string, place: string | undefined): string {
  const similar = nearestName(name, KNOWN);
  return (
    `${PREFIX}${name}${placeText(place)}: this setting does not exist` +
    (similar === undefined ? '' : `; the most similar one is ${PREFIX}${similar}`)
  );
}

/** The names of the environment variables that contain settings. */
export function settingVariables(environment: NodeJS.ProcessEnv = process.env): string[] {
  return fromEnvironment(environment).map(([name]) => `${PREFIX}${name}`);
}

/** The notifications that systemd expects (`Type=notify` and `WatchdogSec=` of the unit; sd_notify(3), sd_watchdog_enabled(3)). */
export interface Supervision {
  /** Longest time in milliseconds between two notifications of the watchdog; undefined without a watchdog. */
  readonly watchdog: number | undefined;
}

/** Reads the variables of systemd from the environment; undefined if systemd does not wait for notifications. */
export function supervisionOf(
  pid: number,
  environment: NodeJS.ProcessEnv = process.env,
): Supervision | undefined {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: microseconds, WATCHDOG_PID: watched } = environment;
  if (!socket) return undefined;
  const isWatched = Number(microseconds) > 0 && (watched === undefined || Number(watched) === pid);
  return { watchdog: isWatched ? Number(microseconds) / 1000 : undefined };
}

/** Whether a stream goes to the journal of systemd (`JOURNAL_STREAM` in systemd.exec(5)). */
export function isJournal(
  { dev, ino }: { readonly dev: number; readonly ino: number },
  environment: NodeJS.ProcessEnv = process.env,
): boolean {
  return environment['JOURNAL_STREAM'] === `${dev}:${ino}`;
}

/**
 * Returns the folder for sockets: the folder that systemd has created for the service, or the folder of the user's session. If
 * there is neither, returns the folder for temporary files.
 */
export function runtimeFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const [ofUnit] = environment['RUNTIME_DIRECTORY']?.split(':') ?? [];
  return ofUnit || environment['XDG_RUNTIME_DIR'] || tmpdir();
}

/** The text that `weatherd config` prints: one setting in a line, with secrets redacted. A comment names those that come from the data. */
export function describeConfig(config: Config): string {
  const show = (name: SettingName): string => {
    const value = config[name];
    if (value === undefined) return '';
    if (name === 'DATABASE_URL' || name === 'DATABASE_READ_URL') return describeDatabase(String(value));
    const { kind, secret } = SETTING_TABLE[name];
    if (secret) return '[redacted]';
    if (kind === 'period') return `${Number(value) / 3600}h`;
    if (kind === 'size') return `${Number(value) / 1024}KiB`;
    if (kind === 'duration') return `${String(value)}s`;
    return Array.isArray(value) ? value.join(',') : String(value);
  };
  const origin =
    config.uploadsSource === 'data'
      ? `# ${REACH_SETTINGS.map((name) => `${PREFIX}${name}`).join(', ')}: kept in the data; an administrator has chosen them in the browser.\n`
      : '';
  return `${origin}${NAMES.map((name) => `${PREFIX}${name}=${show(name)}\n`).join('')}`;
}

function describeDatabase(url: string): string {
  return url.startsWith('postgres') ? locationOf(url) : url;
}

function fromEnvironment(environment: NodeJS.ProcessEnv): [string, RawSetting][] {
  return Object.entries(environment).flatMap(([name, value]) =>
    // An empty variable counts as unset, as in shells and unit files.
    name.startsWith(PREFIX) && value ? [[name.slice(PREFIX.length), { text: value }]] : [],
  );
}

function fromFile(file: string | undefined, faults: string[]): ReadonlyMap<string, RawSetting> {
  if (file === undefined) return new Map();
  try {
    return readConfigFile(file);
  } catch (error) {
    faults.push(reasonAt(file, error));
    return new Map();
  }
}

/** Replaces each secret setting `X_FILE` by the setting `X` with the content of the file. */
function readSecretFiles(
  sources: ReadonlyMap<string, RawSetting>,
  faults: string[],
): Map<string, RawSetting> {
  const values = new Map(sources);
  for (const name of SECRET_SETTINGS) {
    const file = sources.get(`${name}_FILE`)?.text;
    if (file === undefined) continue;
    values.delete(`${name}_FILE`);
    if (sources.has(name)) faults.push(`${PREFIX}${name} and ${PREFIX}${name}_FILE: set only one of them`);
    try {
      values.set(name, { text: readBounded(file).replace(/\r?\n$/, '') });
    } catch (error) {
      faults.push(`${PREFIX}${name}_FILE: ${reasonAt(file, error)}`);
    }
  }
  return values;
}
