import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, crossCheck, SECRET_SETTINGS, type SettingName, SETTINGS } from './settings.js';

export type { Config } from './settings.js';

const PREFIX = 'WEATHERD_';
const DURATIONS: ReadonlySet<SettingName> = new Set([
  'TOKEN_DURATION',
  'ELEVATION_DURATION',
  'AUDIT_RETENTION',
  'SHUTDOWN_DEADLINE',
]);
const NAMES = Object.keys(SETTINGS) as SettingName[];

/** Everything that is wrong with the configuration, each fault in a line of its own. */
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
 * The configuration in force: the environment before the file before the defaults.
 *
 * @param file a JSON file; its keys, nested in any way, joined with `_` give the names of the environment
 * @throws ConfigError with every fault at once
 */
export function loadConfig(file?: string, environment: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const texts = new Map([...fromFile(file, faults), ...fromEnvironment(environment)]);
  const values = readSecretFiles(texts, faults);
  const config: Record<string, unknown> = {};
  for (const name of NAMES) {
    const result = SETTINGS[name].safeParse(values.get(name));
    if (result.success) config[name] = result.data;
    else faults.push(...result.error.issues.map(({ message }) => `${PREFIX}${name}: ${message}`));
  }
  for (const name of values.keys()) {
    if (!(name in SETTINGS)) faults.push(`${PREFIX}${name}: there is no such setting`);
  }
  if (faults.length === 0) faults.push(...crossCheck(config as Config));
  if (faults.length > 0) throw new ConfigError(faults);
  return { ...(config as Config), DATA_DIR: resolve(config['DATA_DIR'] as string) };
}

/** The configuration as `weatherd config` prints it: a line a setting, secrets redacted. */
export function describeConfig(config: Config): string {
  const show = (name: SettingName): string => {
    const value = config[name];
    if (value === undefined) return '';
    if (name === 'DATABASE_URL') return redactUrl(String(value));
    if (SECRET_SETTINGS.includes(name)) return '[redacted]';
    if (DURATIONS.has(name)) return `${String(value)}s`;
    return Array.isArray(value) ? value.join(',') : String(value);
  };
  return NAMES.map((name) => `${PREFIX}${name}=${show(name)}\n`).join('');
}

function redactUrl(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, '$1:[redacted]@');
}

function fromEnvironment(environment: NodeJS.ProcessEnv): [string, string][] {
  return Object.entries(environment).flatMap(([name, value]) =>
    // An empty variable is how a shell or a unit file says "not set".
    name.startsWith(PREFIX) && value ? [[name.slice(PREFIX.length), value]] : [],
  );
}

function fromFile(file: string | undefined, faults: string[]): [string, string][] {
  if (file === undefined) return [];
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // The parser quotes the text around a fault, and that may be a secret.
    const reason = error instanceof SyntaxError ? 'it is not valid JSON' : (error as Error).message;
    faults.push(`${file}: ${reason}`);
    return [];
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return flatten(content, []);
  faults.push(`${file}: it must hold a JSON object`);
  return [];
}

/** `{"external": {"tls": {"cert": "a"}}}` → `EXTERNAL_TLS_CERT`: `a`. */
function flatten(
  value: object | string | number | boolean | null,
  path: readonly string[],
): [string, string][] {
  if (value === null) return [];
  if (Array.isArray(value)) return [[path.join('_').toUpperCase(), value.join(',')]];
  if (typeof value !== 'object') return [[path.join('_').toUpperCase(), String(value)]];
  return Object.entries(value as Record<string, string>).flatMap(([key, item]) =>
    flatten(item, [...path, key]),
  );
}

/** Puts the content of the file that `X_FILE` names in the place of `X`. */
function readSecretFiles(texts: ReadonlyMap<string, string>, faults: string[]): Map<string, string> {
  const values = new Map(texts);
  for (const name of SECRET_SETTINGS) {
    const file = texts.get(`${name}_FILE`);
    if (file === undefined) continue;
    values.delete(`${name}_FILE`);
    if (texts.has(name)) faults.push(`${PREFIX}${name} and ${PREFIX}${name}_FILE: give one of them`);
    try {
      values.set(name, readFileSync(file, 'utf8').replace(/\r?\n$/, ''));
    } catch (error) {
      faults.push(`${PREFIX}${name}_FILE: ${(error as Error).message}`);
    }
  }
  return values;
}
