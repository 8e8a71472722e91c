import { fstatSync } from 'node:fs';
import { openLog } from '#adapters/log-pino/logger.js';
import { OpenSetup } from '#application/accounts/setup/open-setup.js';
import { type Config, isJournal, type Supervision, supervisionOf } from './config.js';
import { assertOwnData, type TypedCommand } from './data/data-owner.js';
import { PACKAGE_INFO } from './package-info.js';
import { isReadOnlyWithoutTls } from './settings/plain-http.js';
import { greeting } from './start/greeting.js';
import { startService } from './service.js';
import { setupAccess } from './setup-access.js';
import { isLoopback, socketPath } from './settings/settings.js';
import { listenToSignals } from './signals.js';
import { serviceCommand } from './settings/terminal-command.js';
import { notifySupervisor } from './systemd/supervision.js';

const { version } = PACKAGE_INFO;
const OPEN =
  'every account of this machine can use the internal API; ' +
  'WEATHERD_INTERNAL_HOST=unix:/PATH or WEATHERD_INTERNAL_SECRET restricts it';

const READ_ONLY =
  'other machines can reach the external API over plain HTTP (WEATHERD_EXTERNAL_INSECURE), so it only allows reading and ' +
  'refuses sign-in, tokens, keys and changes';

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
  const log = await openLog(config.LOG_LEVEL, config.WORKERS > 1);
  try {
    const service = await startService(config, log, { command: serviceCommand(config, command, configFile) });
    const { externalUrl, internalUrl, location } = service;
    const uploadsUrl = service.uploadsUrl;
    const others = {
      ...(service.openMeteoUrl !== undefined && { openmeteo: service.openMeteoUrl }),
      ...(uploadsUrl !== undefined && { uploads: uploadsUrl }),
    };
    // On a terminal, the greeting shows the same information. The log line then has the level `debug` instead of `info`.
    const level = process.stdout.isTTY ? 'debug' : 'info';
    log.logger[level](
      { version, external: externalUrl, internal: internalUrl, ...others, data: location },
      'listening',
    );
    for (const note of notes(config)) log.logger[level](note);
    const supervision = supervisionOf(process.pid);
    const isOffered = setupAccess(config) !== undefined && isReadByPerson(supervision);
    const setup = await service.application.useCase(OpenSetup).execute(isOffered);
    const onStop = supervision && notifySupervisor(supervision, log);
    listenToSignals({ service, log, config, readConfig, hasTerminal, onStop });
    // Standard error may already be closed. An error of this write must not end the service.
    process.stderr
      .on('error', () => undefined)
      .write(
        await greeting(service, config, {
          command,
          configFile,
          notes: notes(config),
          supervision,
          setup,
        }),
      );
  } catch (error) {
    await log.close();
    throw error;
  }
}

/**
 * Whether a person reads standard error now: not systemd, and not a log file, in which other accounts might find the code for the
 * first administrator.
 */
function isReadByPerson(supervision: Supervision | undefined): boolean {
  if (supervision !== undefined) return false;
  try {
    const stream = fstatSync(process.stderr.fd);
    return !stream.isFile() && !isJournal(stream);
  } catch {
    return false; // Standard error is closed.
  }
}

/** Whether every account of this machine may call the internal API. */
function isOpen({ INTERNAL_HOST: host, INTERNAL_SECRET: secret }: Config): boolean {
  return isLoopback(host) && socketPath(host) === undefined && secret === undefined;
}

/** Notes for the operator about the addresses on which the service listens. */
function notes(config: Config): readonly string[] {
  return [...(isOpen(config) ? [OPEN] : []), ...(isReadOnlyWithoutTls(config) ? [READ_ONLY] : [])];
}
