import { type CommandUseCases, EXIT, type Making, runCommandLine } from '../adapters/cli/program.js';
import type { Terminal } from '../adapters/cli/terminal.js';
import { backup, restore } from './backup.js';
import { type Config, describeConfig, loadConfig } from './config.js';
import { openApplication } from './container.js';
import { assertOwnData } from './data-owner.js';
import { importsFolder, missingData } from './data-place.js';
import { assertNothingThere, initialize } from './init.js';
import { readPackageInfo } from './package-info.js';
import { reasonOf } from './reason.js';
import * as tokens from './tokens.js';

/**
 * Runs `weatherd` with a command line, to its end; of `serve` until it listens.
 *
 * @param argv without the interpreter and the script
 * @param environment with the settings; that of the process when left out
 * @returns the exit status; undefined where the command has done its work, or goes on serving
 */
export async function runCommand(
  argv: readonly string[],
  terminal: Terminal,
  environment?: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  const { version } = readPackageInfo();
  const configOf = (file: string | undefined) => loadConfig(file, environment);
  // Whoever reads the output may stop reading, as `| head` does: that is no failure. Changes are carried on to their end.
  let outputClosed = false;
  terminal.output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    outputClosed = true;
  });
  try {
    return await runCommandLine(argv, {
      version,
      terminal,
      // Loaded for this command alone: the others start sooner without the servers.
      serve: async (file) => (await import('./serve.js')).serve(() => configOf(file), argv),
      describeConfig: (file) => describeConfig(configOf(file)),
      withUseCases: async (file, making, work) => withUseCases(configOf(file), argv, making, work),
      dataActions: (file) => {
        const owned = () => {
          const config = configOf(file());
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
        const { EXTERNAL_HOST: host, EXTERNAL_PORT: port } = configOf(file);
        return `http://${host}:${port}`;
      },
    });
  } catch (error) {
    if (outputClosed && (error as NodeJS.ErrnoException).code === 'EPIPE') return undefined;
    terminal.tell(`weatherd: ${reasonOf(error)}`);
    return EXIT.failed;
  }
}

async function withUseCases(
  config: Config,
  argv: readonly string[],
  making: Making,
  work: (useCases: CommandUseCases) => Promise<void>,
): Promise<void> {
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
  } catch (error) {
    // The failure of the command matters more than one of closing.
    await application.close().catch(() => undefined);
    throw error;
  }
  await application.close();
}

/** The files of a database that is kept in files; another process may have them open. */
function dataFiles({ DATABASE_URL: url }: Config, location: string): string[] {
  return url.startsWith('sqlite:') ? ['', '-wal', '-shm'].map((end) => `${location}${end}`) : [];
}
