import { basename, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.js';
import type { TypedCommand } from '../data/data-owner.js';
import { packageFile } from '../package-info.js';
import { isLoopback } from './settings.js';
import { shellWord } from '../shell-word.js';

/** The start of a command line on pages for visitors from other machines. */
const ANYWHERE = 'weatherd';

/**
 * Returns the start of a command line that uses the data of this service. It sets the data directory unless that is the default,
 * because another terminal does not have the settings of the service.
 */
export function terminalCommand({ DATA_DIR: folder }: Config): string {
  const where = folder === resolve('data') ? '' : `WEATHERD_DATA_DIR=${shellWord(folder)} `;
  return `${where}${commandName()}`;
}

/**
 * The start of a command line like `terminalCommand`, with all settings that define the location of the data. The URL of a database may
 * contain a password, so the variable is named without its value.
 *
 * @param configFile the file of `--config`
 */
export function serviceCommand(
  config: Config,
  { variables }: Pick<TypedCommand, 'variables'>,
  configFile: string | undefined,
): string {
  const database = variables.filter((name) => name.startsWith('WEATHERD_DATABASE_URL'));
  const options = configFile === undefined ? '' : ` --config ${shellWord(resolve(configFile))}`;
  return `${database.map((name) => `${name}=… `).join('')}${terminalCommand(config)}${options}`;
}

/**
 * Returns the start of a command line for pages. If other machines can reach the service, it contains no paths of this machine.
 *
 * @param command the result of `serviceCommand`
 */
export function visitorCommand(config: Config, command = terminalCommand(config)): string {
  const isLocal = isLoopback(config.EXTERNAL_HOST) && !config.EXTERNAL_TLS_TERMINATED;
  return isLocal ? command : ANYWHERE;
}

/**
 * The name of this program: `weatherd` if it was started with this name, otherwise a path. A name that a package registry might
 * resolve is never used.
 */
function commandName(): string {
  if (basename(process.argv[1] ?? '') === 'weatherd') return 'weatherd';
  const script = relative('', fileURLToPath(packageFile('bin/weatherd.mjs')));
  return `node ${shellWord(script)}`;
}
