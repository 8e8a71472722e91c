import { basename, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLog } from '../adapters/log-pino/logger.js';
import type { Config } from './config.js';
import { assertOwnData, type TypedCommand } from './data/data-owner.js';
import { packageFile, readPackageInfo } from './package-info.js';
import { type Service, startService } from './service.js';
import { isLoopback, socketPath } from './settings/settings.js';
import { shellWord } from './shell-word.js';
import { listenToSignals } from './signals.js';

const { version } = readPackageInfo();
const OPEN =
  'the internal API is open to every account of this machine; ' +
  'WEATHERD_INTERNAL_HOST=unix:/PATH or WEATHERD_INTERNAL_SECRET restricts it';

/**
 * Serves both APIs until a signal ends the process. Resolves when they listen.
 *
 * @param readConfig reads the configuration, at the start and at every reload
 * @param configFile the file of `--config`
 * @throws Error with the reason in one line
 */
export async function serve(
  readConfig: () => Config,
  command: TypedCommand,
  configFile: string | undefined,
): Promise<void> {
  const config = readConfig();
  assertOwnData(config, command, 'none');
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const log = await openLog(config.LOG_LEVEL);
  try {
    const service = await startService(config, log);
    const { externalUrl, internalUrl, uploadsUrl, location } = service;
    const uploads = uploadsUrl && { uploads: uploadsUrl };
    log.logger.info(
      { version, external: externalUrl, internal: internalUrl, ...uploads, data: location },
      'listening',
    );
    if (isOpen(config)) log.logger.info(OPEN);
    listenToSignals({ service, log, config, readConfig, hasTerminal });
    // Standard error may be closed already.
    process.stderr.on('error', () => undefined).write(greeting(service, config, command, configFile));
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** Whether every account of this machine may call the internal API. */
function isOpen({ INTERNAL_HOST: host, INTERNAL_SECRET: secret }: Config): boolean {
  return isLoopback(host) && socketPath(host) === undefined && secret === undefined;
}

/** Greets the person at the terminal. Written to standard error, because standard output holds only log lines. */
function greeting(
  service: Service,
  config: Config,
  { variables }: TypedCommand,
  configFile: string | undefined,
): string {
  // Another terminal does not have these settings, so the commands must include them.
  const where = config.DATA_DIR === resolve('data') ? '' : `WEATHERD_DATA_DIR=${shellWord(config.DATA_DIR)} `;
  const options = configFile === undefined ? '' : ` --config ${shellWord(resolve(configFile))}`;
  const command = `${where}${commandName()}${options}`;
  // Named without its value, which may hold a password.
  const database = variables.find((name) => name.startsWith('WEATHERD_DATABASE_URL'));
  const condition = database === undefined ? '' : ` with the same ${database}`;
  return `weatherd ${version}
  external API  ${service.externalUrl}  (${config.EXTERNAL_TRANSPORT})
  internal API  ${service.internalUrl}  (${config.INTERNAL_TRANSPORT})
${service.uploadsUrl === undefined ? '' : `  uploads       ${service.uploadsUrl}\n`}  data          ${service.location}
${isOpen(config) ? `\nNote: ${OPEN}.\n` : ''}
Try next, in another terminal${condition}:
  curl ${service.externalUrl}/
  curl ${service.externalUrl}/openapi.json
  ${command} user add ada        # then sign in as the README shows
A backup, also while it runs; a copy of the data file is none:
  ${command} backup weatherd-backup.db
`;
}

/**
 * The start of a command line for this program: `weatherd` if it was started by that name, otherwise a path. A name that
 * a package registry might resolve is never used.
 */
function commandName(): string {
  if (basename(process.argv[1] ?? '') === 'weatherd') return 'weatherd';
  const script = relative('', fileURLToPath(packageFile('bin/weatherd.mjs')));
  return `node ${shellWord(script)}`;
}
