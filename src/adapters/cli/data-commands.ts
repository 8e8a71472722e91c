import type { Command } from 'commander';
import { askSecret, askPassword } from './accounts/ask.js';
import { type ByteObserver, withByteProgress } from './byte-progress.js';
import { addCompactCommand, type CompactAction } from './compact-command.js';
import { addCopyCommand, type CopyAction } from './copy-command.js';
import type { Terminal } from './terminal.js';

/**
 * Actions on the data as a whole, which the code in src/composition implements. Each action returns a message about its result.
 */
export interface DataActions {
  /** @throws Error if data exist already */
  assertNothingThere(): Promise<void>;
  initialize(name: string, password: string): Promise<string>;
  backup(file: string, force: boolean, observer: ByteObserver): Promise<string>;
  restore(file: string, force: boolean, observer: ByteObserver): Promise<string>;
  readonly copy: CopyAction;
  readonly compact: CompactAction;
}

/** Adds the commands `weatherd init|backup|restore|copy|compact`. */
export function addDataCommands(program: Command, terminal: Terminal, actions: DataActions): void {
  program
    .command('init [name]')
    .description('create the data directory, a signing key and the first administrator')
    .addHelpText(
      'after',
      '\nThe command asks for the name and the password. Without a terminal it reads the password from standard input.',
    )
    .action(async (argument: string | undefined, _options: unknown, command: Command) => {
      await actions.assertNothingThere();
      if (argument === undefined && !terminal.isInteractive)
        command.error('error: give the name of the administrator');
      const name: string = argument ?? (await askSecret('Name of the administrator: ', terminal));
      const password = await askPassword(`Password for ${name}: `, terminal);
      terminal.print(await actions.initialize(name, password));
    });

  program
    .command('backup <file>')
    .description('write the data and the signing keys to one file, also while the service runs')
    .option('--force', 'replace the file')
    .action(async (file: string, { force = false }: { force?: boolean }) =>
      withByteProgress(terminal, (observer) => actions.backup(file, force, observer)),
    );

  program
    .command('restore <file>')
    .description('restore the data and the signing keys of a backup into an empty data directory')
    .option('--force', 'move existing data and keys aside; the service must not run')
    .action(async (file: string, { force = false }: { force?: boolean }) =>
      withByteProgress(terminal, (observer) => actions.restore(file, force, observer)),
    );

  addCopyCommand(program, terminal, actions.copy);
  addCompactCommand(program, terminal, actions.compact);
}
