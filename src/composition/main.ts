#!/usr/bin/env node
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CommandUseCases, EXIT, type Making, runCommandLine } from '../adapters/cli/program.js';
import { openLog } from '../adapters/log-pino/logger.js';
import { type Config, describeConfig, loadConfig } from './config.js';
import { openApplication } from './container.js';
import { backup, restore } from './backup.js';
import { assertOwnData } from './data-owner.js';
import { importsFolder, missingData } from './data-place.js';
import { assertNothingThere, initialize } from './init.js';
import { readPackageInfo } from './package-info.js';
import { reasonOf, type Service, startService } from './service.js';
import { isLoopback, socketPath } from './settings.js';
import { listenToSignals } from './signals.js';
import * as tokens from './tokens.js';

const { version } = readPackageInfo();
const OPEN =
  'the internal API is open to every account of this machine; ' +
  'WEATHERD_INTERNAL_HOST=unix:/PATH or WEATHERD_INTERNAL_SECRET restricts it';
const argv = process.argv.slice(2);

// Whoever reads the output may stop reading, as `| head` does: that is no failure. Changes are carried on to their end.
let outputClosed = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
  outputClosed = true;
});

try {
  const status = await runCommandLine(argv, {
    version,
    serve,
    describeConfig: (file) => describeConfig(loadConfig(file)),
    withUseCases,
    dataActions: (file) => {
      const owned = () => {
        const config = loadConfig(file());
        assertOwnData(config, argv, true);
        return config;
      };
      return {
        assertNothingThere: async () => assertNothingThere(owned()),
        initialize: async (name, password) => initialize(owned(), name, password),
        backup: async (to, force) => backup(owned(), to, force),
        restore: async (from, force) => restore(owned(), from, force),
      };
    },
    externalUrl: (file) => {
      const { EXTERNAL_HOST: host, EXTERNAL_PORT: port } = loadConfig(file);
      return `http://${host}:${port}`;
    },
  });
  if (status !== undefined) process.exitCode = status;
} catch (error) {
  if (!(outputClosed && (error as NodeJS.ErrnoException).code === 'EPIPE')) {
    process.stderr.write(`weatherd: ${reasonOf(error)}\n`);
    process.exitCode = EXIT.failed;
  }
}

async function serve(file: string | undefined): Promise<void> {
  const config = loadConfig(file);
  assertOwnData(config, argv, false);
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
  ${commandName()} user add ada        # then sign in as the README shows
A backup, also while it runs; a copy of the data file is none:
  ${commandName()} backup weatherd-backup.db
`;
}

/** How to run the command again from here: never by a name that a package registry might answer to. */
function commandName(): string {
  if (basename(process.argv[1] ?? '') === 'weatherd') return 'weatherd';
  const script = relative('', fileURLToPath(new URL('../../../bin/weatherd.mjs', import.meta.url)));
  return `node ${script}`;
}

async function withUseCases(
  file: string | undefined,
  making: Making,
  work: (useCases: CommandUseCases) => Promise<void>,
): Promise<void> {
  const config = loadConfig(file);
  assertOwnData(config, argv, true);
  const missing = making === 'needs data' ? await missingData(config) : undefined;
  if (missing !== undefined) throw new Error(`${missing} To make new data: weatherd init`);
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
      checkData: container.get(tokens.CheckData),
      readAudit: container.get(tokens.ReadAudit),
      putStations: container.get(tokens.PutStations),
      changeStations: container.get(tokens.ChangeStations),
      listStations: container.get(tokens.ListStations),
      listRemovedStations: container.get(tokens.ListRemovedStations),
      getStation: container.get(tokens.GetStation),
      removeStation: container.get(tokens.RemoveStation),
      restoreStation: container.get(tokens.RestoreStation),
      eraseStation: container.get(tokens.EraseStation),
      recordObservations: container.get(tokens.RecordObservations),
      readObservations: container.get(tokens.ReadObservations),
      calendar: container.get(tokens.Calendar),
      location: application.location,
      importLog: container.get(tokens.ImportLog),
      formerImportFolder: importsFolder(config),
      dataPaths: [config.DATA_DIR, ...dataFiles(config, application.location)],
    });
  } finally {
    await application.close();
  }
}

/** The files of a database that is kept in files; another process may have them open. */
function dataFiles({ DATABASE_URL: url }: Config, location: string): string[] {
  return url.startsWith('sqlite:') ? ['', '-wal', '-shm'].map((end) => `${location}${end}`) : [];
}
