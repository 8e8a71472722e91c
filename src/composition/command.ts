import type { CommandContext } from '#adapters/cli/command-context.js';
import { EXIT, type DataRequirement, runCommandLine } from '#adapters/cli/program.js';
import type { Terminal } from '#adapters/cli/terminal.js';
import type { ServiceConnection } from '#adapters/workers-cluster/service-connection.js';
import { type Config, describeConfig, loadConfig, settingVariables } from './config.js';
import { backup, restore } from './data/backup.js';
import { assertOwnData, type CheckedFolder, type TypedCommand } from './data/data-owner.js';
import { dataPaths, INIT_HINT, missingData } from './data/data-location.js';
import { assertNoData, initialize } from './data/init.js';
import { foreignFiles } from './graph/foreign-files.js';
import * as tokens from './graph/tokens.js';
import { PACKAGE_INFO } from './package-info.js';
import { reasonOf, sentenceOf } from './reason.js';
import { thenClose } from './runnables.js';
import { announceMigration } from './start/older-schema.js';
import { terminalCommand } from './settings/terminal-command.js';
import { reportIfSlow } from './start/slow-opening.js';
import { withStoredReach } from './settings/uploads-reach.js';
import { machineAddresses, uploadReachOf } from './upload-reach.js';

// From here, because a second module that the start imports would divide the bundle further.
export { commandName } from './command-name.js';

/**
 * Runs a command line of `weatherd`. The promise resolves when the command ends. The command `serve` runs until the process ends,
 * so its promise resolves as soon as the service listens.
 *
 * @param argv the parameters, without the interpreter and the script
 * @param environment the environment variables with the settings; by default the variables of the process
 * @returns the exit status; undefined if the command was successful or continues to serve
 */
export async function runCommand(
  argv: readonly string[],
  terminal: Terminal,
  environment?: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  const { version } = PACKAGE_INFO;
  const configOf = (file: string | undefined) => loadConfig(file, environment);
  const command = { argv, variables: settingVariables(environment) };
  try {
    const status = await runCommandLine(argv, {
      version,
      terminal,
      // The servers are loaded only for `serve`. Other commands start faster without them.
      serve: async (file) => (await import('./serve.js')).serve(() => configOf(file), command, file),
      describeConfig: async (file) => await describeAll(configOf(file), command),
      withContext: async (file, requirement, work) =>
        withContext(configOf(file), { command, terminal, requirement }, work),
      importFormats: async (file) =>
        (await import('./modules/extensions.js')).loadImportFormats(configOf(file).IMPORT_FORMAT_MODULES),
      doctor: (file) => ({
        diagnose: async () => (await import('./doctor/doctor.js')).diagnose(() => configOf(file), command),
        graph: async () => (await import('./doctor/service-graph.js')).serviceGraph(configOf(file)),
      }),
      dataActions: (file) => {
        const owned = (folder: CheckedFolder) => {
          const config = configOf(file());
          assertOwnData(config, command, folder);
          return config;
        };
        return {
          assertNothingThere: async () => assertNoData(owned('nearest')),
          initialize: async (name, password) => initialize(owned('nearest'), name, password),
          backup: async (to, force, observer) => backup(owned('data directory'), to, force, observer),
          restore: async (from, force, observer) => restore(owned('nearest'), from, force, observer),
          compact: async (observer) =>
            (await import('./data/compact.js')).compact(owned('data directory'), observer),
          copy: async (options, observer) =>
            (await import('./data/copy.js')).copyData(owned('data directory'), options, command, observer),
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
    terminal.printError(`weatherd: ${sentenceOf(reasonOf(error))}`);
    return EXIT.failed;
  }
}

/** The text that `weatherd config` prints. Without access to the data, the settings that are kept in the data are not included. */
async function describeAll(config: Config, command: TypedCommand): Promise<string> {
  const { readStoredSettings } = await import('./data/stored-reach.js');
  try {
    assertOwnData(config, command, 'data directory');
    return describeConfig(await readStoredSettings(config));
  } catch {
    return `# The data cannot be read, so settings that are kept in the data are not included.\n${describeConfig(config)}`;
  }
}

async function withContext(
  config: Config,
  {
    command,
    terminal,
    requirement,
  }: {
    readonly command: TypedCommand;
    readonly terminal: Terminal;
    readonly requirement: DataRequirement;
  },
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  assertOwnData(config, command, requirement === 'needs data' ? 'data directory' : 'nearest');
  const missing = await missingData(config);
  if (missing !== undefined && requirement === 'needs data') throw new Error(`${missing} ${INIT_HINT}`);
  // This module is loaded only for commands that work on data, because help and configuration start faster without the module.
  const { reachService } = await import('./owner/reach-service.js');
  const service = await reachService(config);
  await thenClose(
    () => workOn(config, terminal, service, work),
    async () => service?.close(),
  );
}

/**
 * @param service the running service, which performs and announces the changes of the command; undefined if no service uses the
 *   data
 */
async function workOn(
  config: Config,
  terminal: Terminal,
  service: ServiceConnection | undefined,
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const { openApplication } = await import('./container.js');
  const print = (text: string) => terminal.printError(`weatherd: ${text}.`);
  const isMigration = await announceMigration(config, print);
  const application = await reportIfSlow(
    openApplication(config, () => undefined, service && { exchange: service, writer: service }),
    print,
    isMigration,
  );
  const { container, useCase } = application;
  const opened = async () => {
    const stored = await container.get(tokens.SettingStore).find('uploads');
    await work({
      useCase,
      calendar: container.get(tokens.Calendar),
      location: application.location,
      importLog: container.get(tokens.ImportLog),
      foreignFiles,
      formats: container.get(tokens.ImportFormatList),
      command: terminalCommand(config),
      isServed: service !== undefined,
      dataPaths: [config.DATA_DIR, ...dataPaths(config)],
      uploads: { reach: uploadReachOf(withStoredReach(config, stored)), machine: machineAddresses() },
    });
  };
  await thenClose(opened, () => application.close());
}
