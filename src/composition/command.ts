import { type CommandUseCases, EXIT, type Making, runCommandLine } from '../adapters/cli/program.js';
import type { Terminal } from '../adapters/cli/terminal.js';
import { type Config, describeConfig, loadConfig, settingVariables } from './config.js';
import { openApplication } from './container.js';
import { backup, restore } from './data/backup.js';
import { assertOwnData, type CheckedFolder, type TypedCommand } from './data/data-owner.js';
import { dataPaths, importsFolder, missingData } from './data/data-place.js';
import { assertNothingThere, initialize } from './data/init.js';
import * as tokens from './modules/tokens.js';
import { readPackageInfo } from './package-info.js';
import { reasonOf } from './reason.js';

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
  const command = { argv, variables: settingVariables(environment) };
  try {
    const status = await runCommandLine(argv, {
      version,
      terminal,
      // Loaded for this command alone: the others start sooner without the servers.
      serve: async (file) => (await import('./serve.js')).serve(() => configOf(file), command, file),
      describeConfig: (file) => describeConfig(configOf(file)),
      withUseCases: async (file, making, work) => withUseCases(configOf(file), command, making, work),
      dataActions: (file) => {
        const owned = (folder: CheckedFolder) => {
          const config = configOf(file());
          assertOwnData(config, command, folder);
          return config;
        };
        return {
          assertNothingThere: async () => assertNothingThere(owned('nearest')),
          initialize: async (name, password) => initialize(owned('nearest'), name, password),
          backup: async (to, force) => backup(owned('data directory'), to, force),
          restore: async (from, force) => restore(owned('nearest'), from, force),
        };
      },
      externalUrl: (file) => {
        const { EXTERNAL_HOST: host, EXTERNAL_PORT: port } = configOf(file);
        return `http://${host}:${port}`;
      },
    });
    await terminal.flush();
    return status;
  } catch (error) {
    terminal.tell(`weatherd: ${reasonOf(error)}`);
    return EXIT.failed;
  }
}

async function withUseCases(
  config: Config,
  command: TypedCommand,
  making: Making,
  work: (useCases: CommandUseCases) => Promise<void>,
): Promise<void> {
  assertOwnData(config, command, making === 'needs data' ? 'data directory' : 'nearest');
  const missing = await missingData(config);
  if (missing !== undefined && making === 'needs data')
    throw new Error(`${missing} To make new data: weatherd init`);
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
      dataPaths: [config.DATA_DIR, ...dataPaths(config)],
    });
  } catch (error) {
    // The failure of the command matters more than one of closing.
    await application.close().catch(() => undefined);
    throw error;
  }
  await application.close();
}
