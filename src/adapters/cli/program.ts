import { Command, CommanderError, Help } from 'commander';
import type { ImportFormat } from '#adapters/formats/import-formats/import-format.js';
import { IMPORT_FORMATS } from '#adapters/formats/import-formats/import-formats.js';
import { addAuditCommand } from './accounts/audit-command.js';
import { addKeyCommands } from './accounts/key-commands.js';
import { addSessionCommands } from './accounts/session-commands.js';
import { addUserCommands } from './accounts/user-commands.js';
import { addAlarmCommands } from './alarms/alarm-commands.js';
import { addCheckCommand } from './check-command.js';
import { addCompletionCommand } from './reference/completion-command.js';
import type { CommandContext } from './command-context.js';
import { addDataCommands, type DataActions } from './data-commands.js';
import { addDemoCommand } from './demo-command.js';
import { addDoctorCommand, type DoctorActions } from './doctor/doctor-command.js';
import { addExportCommand } from './export/export-command.js';
import { addHookCommands } from './hooks/hook-commands.js';
import { namedCommand } from './named-command.js';
import { withHint } from './hints.js';
import { addImportCommand, type ListedFormats } from './import/import-command.js';
import { addImportsCommand } from './import/imports-command.js';
import { addReferenceCommands } from './reference/reference-commands.js';
import { addRetentionCommand } from './retention-command.js';
import { addForecastCommands } from './forecasts/forecast-commands.js';
import { addSourceCommands } from './sources/source-commands.js';
import { addOverrideCommands } from './stations/override-commands.js';
import { addStationCommands } from './stations/station-commands.js';
import type { Terminal } from './terminal.js';
import { addUploadCommands } from './uploads/upload-commands.js';
import { addUploadKeyCommands } from './uploads/upload-key-commands.js';
import { addObservationCommands } from './observation-commands.js';

/** Whether a command creates missing data, or fails without data. */
export type DataRequirement = 'may make the data' | 'needs data';

/** Commands that only read. After every other command the location of the changed data is printed. */
const READING: ReadonlySet<string> = new Set([
  'list',
  'show',
  'audit',
  'imports',
  'export',
  'check',
  'status',
  'pending',
  'test',
  'steps',
  'notices',
  'sensors',
  'find',
]);

/**
 * The actions of the commands, which the code in src/composition implements. The parameter `config` is the path that the option
 * `--config` names.
 */
export interface CliActions {
  readonly version: string;
  readonly terminal: Terminal;
  /** Starts the service. Resolves when the service listens. */
  serve(config: string | undefined): Promise<void>;
  /** The effective configuration as text, without secrets. */
  describeConfig(config: string | undefined): Promise<string>;
  /** The URL of the external API. */
  externalUrl(config: string | undefined): string;
  /** The import formats, with those of packages. @throws Error if a package cannot be loaded */
  importFormats(config: string | undefined): Promise<readonly ImportFormat[]>;
  /** Opens the data, runs `work` and closes the data. */
  withContext(
    config: string | undefined,
    requirement: DataRequirement,
    work: (context: CommandContext) => Promise<void>,
  ): Promise<void>;
  /** Examines the machine, the settings and the data. */
  doctor(config: string | undefined): DoctorActions;
  /** Actions on the data as a whole. */
  dataActions(config: () => string | undefined): DataActions;
}

/** Exit statuses: success, failure with a message, wrong usage. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/**
 * Runs one command line.
 *
 * @param argv arguments without the interpreter and the script
 * @returns the exit status if the command line is wrong or requests help; undefined after a command has run
 * @throws the error of the command
 */
export async function runCommandLine(
  argv: readonly string[],
  actions: CliActions,
): Promise<number | undefined> {
  const program = makeProgram(actions);
  try {
    await program.parseAsync(withCommand(argv), { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
}

/**
 * Adds the default command `serve` if no command is named. `help import` becomes `import --help`, because commander runs the hook
 * that loads the import formats only for the second form.
 */
function withCommand(argv: readonly string[]): string[] {
  if (argv.length === 2 && argv[0] === 'help' && argv[1] === 'import') return ['import', '--help'];
  return namedCommand(argv) === undefined ? [...argv, 'serve'] : [...argv];
}

/**
 * Adds a hint to the usage errors of a command and of its subcommands: the command that prints the usage, such as `weatherd
 * import --help`.
 */
function nameHelp(command: Command, name: string): void {
  command.showHelpAfterError(`("${name} --help" shows the usage)`);
  for (const one of command.commands) nameHelp(one, `${name} ${one.name()}`);
}

export function makeProgram(actions: CliActions): Command {
  const { terminal } = actions;
  const program = new Command('weatherd')
    .description('A weather data service.')
    .version(actions.version)
    .option('--config <file>', 'JSON file with settings; environment variables override it')
    .configureHelp({
      optionDescription: (option) =>
        `${new Help().optionDescription(option)}${option.mandatory ? ' (required)' : ''}`,
    })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.output.write(text),
      writeErr: (text) => terminal.writeError(text),
    })
    .enablePositionalOptions();
  const configFile = () => program.opts<{ config?: string }>().config;

  program
    .command('serve')
    .description('serve both APIs; the default command')
    .allowExcessArguments(false)
    .action(() => actions.serve(configFile()));

  program
    .command('config')
    .description('print the effective configuration, without secrets')
    .action(async () => void terminal.output.write(await actions.describeConfig(configFile())));

  addDoctorCommand(program, terminal, () => actions.doctor(configFile()));

  let location: string | undefined;
  const opening = (requirement: DataRequirement) => (work: (context: CommandContext) => Promise<void>) =>
    actions
      .withContext(configFile(), requirement, async (context) => {
        await work(context);
        ({ location } = context);
      })
      .catch((error: unknown) => {
        throw withHint(error);
      });
  const withContext = opening('needs data');
  program.hook('postAction', (_program, command) => {
    // The text is printed to standard error, because scripts read standard output.
    const { discard, dryRun } = command.opts<{ discard?: boolean; dryRun?: boolean }>();
    const isReading = dryRun === true || (READING.has(command.name()) && discard !== true);
    if (location !== undefined && !isReading) terminal.printError(`Changed the data in ${location}`);
  });
  addUserCommands(program, terminal, withContext);
  addSessionCommands(program, terminal, withContext);
  addKeyCommands(program, terminal, withContext);
  addAuditCommand(program, terminal, withContext);
  addCheckCommand(program, terminal, withContext);
  addStationCommands(program, terminal, withContext);
  addOverrideCommands(program, terminal, withContext);
  addAlarmCommands(program, terminal, withContext);
  addObservationCommands(program, terminal, withContext);
  addRetentionCommand(program, terminal, withContext);
  addUploadKeyCommands(program, terminal, withContext);
  addUploadCommands(program, terminal, withContext);
  addSourceCommands(program, terminal, withContext);
  addForecastCommands(program, terminal, withContext);
  addHookCommands(program, terminal, withContext);
  let listed: ListedFormats = { formats: IMPORT_FORMATS };
  program.hook('preSubcommand', async (_program, command) => {
    if (command.name() !== 'import') return;
    listed = await actions.importFormats(configFile()).then(
      (formats) => ({ formats }),
      // The faults of a configuration have a line each.
      (error: unknown) => ({
        formats: IMPORT_FORMATS,
        fault: (error as Error).message.replaceAll(/\n */g, ' '),
      }),
    );
  });
  addImportCommand(program, terminal, withContext, () => listed);
  addImportsCommand(program, terminal, withContext);
  addExportCommand(program, terminal, withContext);
  addDataCommands(program, terminal, actions.dataActions(configFile));
  addDemoCommand(program, terminal, opening('may make the data'), () => actions.externalUrl(configFile()));
  addReferenceCommands(program, terminal);
  addCompletionCommand(program, terminal);
  nameHelp(program, program.name());
  return program;
}
