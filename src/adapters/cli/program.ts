import { Command, CommanderError } from 'commander';
import { addAuditCommand, type AuditUseCases } from './audit-command.js';
import { addCheckCommand, type CheckUseCases } from './check-command.js';
import { addKeyCommands, type KeyUseCases } from './key-commands.js';
import { addDemoCommand } from './demo-command.js';
import { addExportCommand, type ExportUseCases } from './export-command.js';
import { addImportCommand, type ImportUseCases } from './import-command.js';
import { addStationCommands, type StationUseCases } from './station-commands.js';
import { addSessionCommands, type SessionUseCases } from './session-commands.js';
import { addUserCommands, type UserUseCases } from './user-commands.js';

/** What commands other than `serve` and `config` are made of. */
export type CommandUseCases = UserUseCases &
  SessionUseCases &
  KeyUseCases &
  AuditUseCases &
  CheckUseCases &
  StationUseCases &
  ImportUseCases &
  ExportUseCases;

/** What the command line starts; composition supplies it. `config` is the file named by `--config`. */
export interface CliActions {
  readonly version: string;
  /** Starts the service and resolves once it listens. */
  serve(config: string | undefined): Promise<void>;
  /** The configuration in force as text, secrets redacted. */
  describeConfig(config: string | undefined): string;
  /** Where the external API is to be found. */
  externalUrl(config: string | undefined): string;
  /** Runs `work` with the use-cases open, and closes them. */
  withUseCases(config: string | undefined, work: (useCases: CommandUseCases) => Promise<void>): Promise<void>;
}

/** Exit statuses: done, failed with one clear line, wrong usage. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/**
 * Runs one command line.
 *
 * @param argv without the interpreter and the script
 * @returns the exit status of a command line that is wrong or asked for help; undefined once a command has run
 * @throws Error what the command itself threw
 */
export async function runCommandLine(
  argv: readonly string[],
  actions: CliActions,
): Promise<number | undefined> {
  const program = makeProgram(actions);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
}

function makeProgram(actions: CliActions): Command {
  const program = new Command('weatherd')
    .description('A weather data service.')
    .version(actions.version)
    .option('--config <file>', 'JSON file with settings; the environment goes before it')
    .exitOverride()
    .showHelpAfterError('(weatherd --help shows the usage)')
    .enablePositionalOptions();
  const configFile = () => program.opts<{ config?: string }>().config;

  program
    .command('serve', { isDefault: true })
    .description('serve both APIs (also with no command)')
    .allowExcessArguments(false)
    .action(() => actions.serve(configFile()));

  program
    .command('config')
    .description('print the configuration in force, secrets redacted')
    .action(() => void process.stdout.write(actions.describeConfig(configFile())));

  const withUseCases = (work: (useCases: CommandUseCases) => Promise<void>) =>
    actions.withUseCases(configFile(), work);
  addUserCommands(program, withUseCases);
  addSessionCommands(program, withUseCases);
  addKeyCommands(program, withUseCases);
  addAuditCommand(program, withUseCases);
  addCheckCommand(program, withUseCases);
  addStationCommands(program, withUseCases);
  addImportCommand(program, withUseCases);
  addExportCommand(program, withUseCases);
  addDemoCommand(program, withUseCases, () => actions.externalUrl(configFile()));
  return program;
}
