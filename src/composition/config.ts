import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { locationOf } from '#adapters/store-postgres/database/location.js';
import { nearestName } from '#domain/nearest-name.js';
import { quoted } from '#domain/quoted.js';
import { reasonAt } from './reason.js';
import { type GivenSettings, readBounded, readConfigFile } from './settings/config-file.js';
import { mappingFaults } from './settings/mapping-file.js';
import {
  type Config,
  crossCheck,
  SECRET_SETTINGS,
  type SettingName,
  SETTING_TABLE,
} from './settings/settings.js';

export type { Config } from './settings/settings.js';

const PREFIX = 'WEATHERD_';
const NAMES = Object.keys(SETTING_TABLE) as SettingName[];
const KNOWN = [...NAMES, ...SECRET_SETTINGS.map((name) => `${name}_FILE`)];

/** All faults of the configuration, one in a line. */
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
 * The effective configuration: the environment overrides the file, and the file overrides the defaults.
 *
 * @param file a JSON file. Its nested keys, joined with `_`, are the names of the environment variables.
 * @throws ConfigError with all faults at once
 */
export function loadConfig(file?: string, environment: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const given = new Map([...fromFile(file, faults), ...fromEnvironment(environment)]);
  const values = readSecretFiles(given, faults);
  const config: Partial<Record<SettingName, unknown>> = {};
  for (const name of NAMES) {
    const result = SETTING_TABLE[name].schema.safeParse(values.get(name)?.text);
    if (result.success) config[name] = result.data;
    else
      faults.push(...result.error.issues.map(({ message }) => settingFault(name, values.get(name), message)));
  }
  for (const [name, { place }] of values) {
    if (!(name in SETTING_TABLE)) faults.push(unknownSetting(name, place));
  }
  faults.push(...crossCheck(config as Partial<Config>, new Set(values.keys())));
  if (typeof config.MQTT_MAPPING === 'string')
    faults.push(...mappingFaults(config.MQTT_MAPPING, values.has('MQTT_URL')));
  if (faults.length > 0) throw new ConfigError(faults);
  const { DATA_DIR: dataDir, BACKUP_DIR: backupDir } = config as Config;
  return {
    ...(config as Config),
    DATA_DIR: resolve(dataDir),
    BACKUP_DIR: backupDir === undefined ? undefined : resolve(backupDir),
  };
}

/** @param rule that the value breaks. The value is shown unless it may hold a secret. */
function settingFault(name: SettingName, given: GivenSettings | undefined, rule: string): string {
  const mayBeSecret = SECRET_SETTINGS.includes(name) || name.endsWith('_URL');
  const shown = given === undefined || mayBeSecret ? '' : `; it is ${quoted(given.text)}`;
  return `${PREFIX}${name}${placeText(given?.place)}: ${rule}${shown}`;
}

function placeText(place: string | undefined): string {
  return place === undefined ? '' : ` (${place})`;
}

function unknownSetting(name: string, place: string | undefined): string {
  const similar = nearestName(name, KNOWN);
  return (
    `${PREFIX}${name}${placeText(place)}: there is no such setting` +
    (similar === undefined ? '' : `; the nearest is ${PREFIX}${similar}`)
  );
}

/** The names of the environment variables that hold settings. */
export function settingVariables(environment: NodeJS.ProcessEnv = process.env): string[] {
  return fromEnvironment(environment).map(([name]) => `${PREFIX}${name}`);
}

/** What a unit of systemd with `Type=notify` and `WatchdogSec=` expects of the process (sd_notify(3), sd_watchdog_enabled(3)). */
export interface Supervision {
  /** Largest time in milliseconds between two signs of life; undefined without a watchdog. */
  readonly watchdog: number | undefined;
}

/** What systemd has put into the environment; undefined if it does not wait for notifications. */
export function supervisionOf(
  pid: number,
  environment: NodeJS.ProcessEnv = process.env,
): Supervision | undefined {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: microseconds, WATCHDOG_PID: watched } = environment;
  if (!socket) return undefined;
  const isWatched = Number(microseconds) > 0 && (watched === undefined || Number(watched) === pid);
  return { watchdog: isWatched ? Number(microseconds) / 1000 : undefined };
}

/** A folder for sockets: that of the unit or of the session of this user, otherwise the one for temporary files. */
export function runtimeFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const [ofUnit] = environment['RUNTIME_DIRECTORY']?.split(':') ?? [];
  return ofUnit || environment['XDG_RUNTIME_DIR'] || tmpdir();
}

/** The configuration as `weatherd config` prints it: one setting in a line, secrets redacted. */
export function describeConfig(config: Config): string {
  const show = (name: SettingName): string => {
    const value = config[name];
    if (value === undefined) return '';
    if (name === 'DATABASE_URL' || name === 'DATABASE_READ_URL') return describeDatabase(String(value));
    const { kind, secret } = SETTING_TABLE[name];
    if (secret) return '[redacted]';
    if (kind === 'period') return `${Number(value) / 3600}h`;
    if (kind === 'duration') return `${String(value)}s`;
    return Array.isArray(value) ? value.join(',') : String(value);
  };
  return NAMES.map((name) => `${PREFIX}${name}=${show(name)}\n`).join('');
}

function describeDatabase(url: string): string {
  return url.startsWith('postgres') ? locationOf(url) : url;
}

function fromEnvironment(environment: NodeJS.ProcessEnv): [string, GivenSettings][] {
  return Object.entries(environment).flatMap(([name, value]) =>
    // An empty variable counts as unset, as in shells and unit files.
    name.startsWith(PREFIX) && value ? [[name.slice(PREFIX.length), { text: value }]] : [],
  );
}

function fromFile(file: string | undefined, faults: string[]): ReadonlyMap<string, GivenSettings> {
  if (file === undefined) return new Map();
  try {
    return readConfigFile(file);
  } catch (error) {
    faults.push(reasonAt(file, error));
    return new Map();
  }
}

/** Replaces `X_FILE` by `X` with the content of the file. */
function readSecretFiles(
  given: ReadonlyMap<string, GivenSettings>,
  faults: string[],
): Map<string, GivenSettings> {
  const values = new Map(given);
  for (const name of SECRET_SETTINGS) {
    const file = given.get(`${name}_FILE`)?.text;
    if (file === undefined) continue;
    values.delete(`${name}_FILE`);
    if (given.has(name)) faults.push(`${PREFIX}${name} and ${PREFIX}${name}_FILE: give one of them`);
    try {
      values.set(name, { text: readBounded(file).replace(/\r?\n$/, '') });
    } catch (error) {
      faults.push(`${PREFIX}${name}_FILE: ${reasonAt(file, error)}`);
    }
  }
  return values;
}
