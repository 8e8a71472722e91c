#!/usr/bin/env node
import { join } from 'node:path';
import { type CommandUseCases, EXIT, runCommandLine } from '../adapters/cli/program.js';
import { openLog } from '../adapters/log-pino/logger.js';
import { type Config, describeConfig, loadConfig } from './config.js';
import { openApplication } from './container.js';
import { readPackageInfo } from './package-info.js';
import { reasonOf, type Service, startService } from './service.js';
import { isLoopback, socketPath } from './settings.js';
import { listenToSignals } from './signals.js';
import * as tokens from './tokens.js';

const { version } = readPackageInfo();
const OPEN =
  'the internal API is open to every account of this machine; ' +
  'WEATHERD_INTERNAL_HOST=unix:/PATH or WEATHERD_INTERNAL_SECRET restricts it';

// The reader of a pipe may leave before everything is written, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.done);
});

try {
  const status = await runCommandLine(process.argv.slice(2), {
    version,
    serve,
    describeConfig: (file) => describeConfig(loadConfig(file)),
    withUseCases,
    externalUrl: (file) => {
      const { EXTERNAL_HOST: host, EXTERNAL_PORT: port } = loadConfig(file);
      return `http://${host}:${port}`;
    },
  });
  if (status !== undefined) process.exitCode = status;
} catch (error) {
  process.stderr.write(`weatherd: ${reasonOf(error)}\n`);
  process.exitCode = EXIT.failed;
}

async function serve(file: string | undefined): Promise<void> {
  const config = loadConfig(file);
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const log = await openLog(config.LOG_LEVEL);
  try {
    const service = await startService(config, log);
    const { externalUrl, internalUrl, location } = service;
    log.logger.info({ version, external: externalUrl, internal: internalUrl, data: location }, 'listening');
    if (isOpen(config)) log.logger.info(OPEN);
    listenToSignals({ service, log, config, file, hasTerminal });
    // Nobody may be left to read it.
    process.stderr.on('error', () => undefined).write(greeting(service, config));
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
function greeting(service: Service, config: Config): string {
  return `weatherd ${version}
  external API  ${service.externalUrl}  (${config.EXTERNAL_TRANSPORT})
  internal API  ${service.internalUrl}  (${config.INTERNAL_TRANSPORT})
  data          ${service.location}
${isOpen(config) ? `\nNote: ${OPEN}.\n` : ''}
Try next, in another terminal:
  curl ${service.externalUrl}/
  curl ${service.externalUrl}/openapi.json
  npx weatherd user add ada        # then sign in as the README shows
`;
}

async function withUseCases(
  file: string | undefined,
  work: (useCases: CommandUseCases) => Promise<void>,
): Promise<void> {
  const config = loadConfig(file);
  const application = await openApplication(config, () => undefined);
  const { container } = application;
  try {
    await work({
      addUser: container.get(tokens.AddUser),
      listUsers: container.get(tokens.ListUsers),
      changeUser: container.get(tokens.ChangeUser),
      removeUser: container.get(tokens.RemoveUser),
      listSessions: container.get(tokens.ListSessions),
      endSessions: container.get(tokens.EndSessions),
      listKeys: container.get(tokens.ListKeys),
      rotateKey: container.get(tokens.RotateKey),
      retireKey: container.get(tokens.RetireKey),
      readAudit: container.get(tokens.ReadAudit),
      putStations: container.get(tokens.PutStations),
      listStations: container.get(tokens.ListStations),
      getStation: container.get(tokens.GetStation),
      removeStation: container.get(tokens.RemoveStation),
      recordObservations: container.get(tokens.RecordObservations),
      readObservations: container.get(tokens.ReadObservations),
      calendar: container.get(tokens.Calendar),
      importFolder: join(config.DATA_DIR, 'imports'),
    });
  } finally {
    await application.close();
  }
}
