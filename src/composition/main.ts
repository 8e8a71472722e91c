#!/usr/bin/env node
import { join } from 'node:path';
import { type CommandUseCases, EXIT, runCommandLine } from '../adapters/cli/program.js';
import { outliveReader } from '../adapters/cli/say.js';
import { openLog } from '../adapters/log-pino/logger.js';
import { type Config, describeConfig, loadConfig } from './config.js';
import { openApplication } from './container.js';
import { readPackageInfo } from './package-info.js';
import { reasonOf, type Service, startService } from './service.js';
import * as tokens from './tokens.js';

const { version } = readPackageInfo();

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
  const log = await openLog(config.LOG_LEVEL);
  try {
    const service = await startService(config, log);
    const { externalUrl, internalUrl, location } = service;
    log.logger.info({ version, external: externalUrl, internal: internalUrl, data: location }, 'listening');
    endOnSignal(service, log);
    process.stderr.write(greeting(service, config.EXTERNAL_TRANSPORT, config.INTERNAL_TRANSPORT));
  } catch (error) {
    log.close();
    throw error;
  }
}

function endOnSignal(service: Service, log: Awaited<ReturnType<typeof openLog>>): void {
  let ending = false;
  const end = (signal: NodeJS.Signals) => {
    if (ending) process.exit(EXIT.failed);
    ending = true;
    log.logger.info({ signal }, 'shutting down');
    void service.stop().then(
      (finished) => {
        if (!finished) log.logger.warn('the deadline passed; what was still running was cut off');
        log.logger.info('stopped');
        log.close();
        process.exit(EXIT.done);
      },
      (error: unknown) => {
        log.logger.error({ reason: reasonOf(error) }, 'could not stop in order');
        log.close();
        process.exit(EXIT.failed);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** For whoever has just started it; standard output carries log lines alone. */
function greeting(service: Service, external: string, internal: string): string {
  return `weatherd ${version}
  external API  ${service.externalUrl}  (${external})
  internal API  ${service.internalUrl}  (${internal})
  data          ${service.location}

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
  outliveReader();
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
      importLog: container.get(tokens.ImportLog),
      formerImportFolder: join(config.DATA_DIR, 'imports'),
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
