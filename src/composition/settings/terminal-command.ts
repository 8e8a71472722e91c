import { resolve } from 'node:path';
import { commandName } from '../command-name.js';
import type { Config } from '../config.js';
import type { TypedCommand } from '../data/data-owner.js';
import { isLoopback } from './settings.js';
import { shellWord } from '../shell-word.js';

/**
 * The first word of a command line in web pages, if visitors from other machines can see them. It shows no path of this machine.
 */
const ANYWHERE = 'weatherd';

/**
 * Returns the first words of a command line that uses the data of this service, for example `WEATHERD_DATA_DIR=/srv/data
 * weatherd`. The words set the data directory, because another terminal does not have the settings of the service. The default
 * data directory is left out.
 */
export function terminalCommand({ DATA_DIR: folder }: Config): string {
  const where = folder === resolve('data') ? '' : `WEATHERD_DATA_DIR=${shellWord(folder)} `;
  return `${where}${commandName()}`;
}

/**
 * Returns the first words of a command line that uses the data of this service, with all settings that say where the data are:
 * `WEATHERD_DATABASE_URL=… weatherd --config /srv/weatherd.json`. A URL of a database may contain a password, so it is shown as
 * `…`.
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
 * Returns the first words of a command line for pages. If other machines can reach the service, the result is only `weatherd`,
 * because a page must not show them paths of this machine.
 *
 * @param command the result of `serviceCommand`
 */
export function visitorCommand(config: Config, command = terminalCommand(config)): string {
  const isLocal = isLoopback(config.EXTERNAL_HOST) && !config.EXTERNAL_TLS_TERMINATED;
  return isLocal ? command : ANYWHERE;
}
