import type { Command } from 'commander';
import type { CopyObserver } from '#application/operation/copy/copy-data.js';
import { makeBar } from './progress-bar.js';
import type { Terminal } from './terminal.js';

export interface CopyOptions {
  /** The URL of the target. */
  readonly to?: string;
  /** A file with the URL of the target. */
  readonly toFile?: string;
  /** The data directory of the target. */
  readonly dataDir?: string;
}

/** Copies all data to another store. @returns a message about the result */
export type CopyAction = (options: CopyOptions, observer: CopyObserver) => Promise<string>;

/** Adds the command `weatherd copy`. */
export function addCopyCommand(program: Command, terminal: Terminal, copy: CopyAction): void {
  program
    .command('copy')
    .description('copy all data and the signing keys to an empty database or data file, and compare both')
    .option('--to <url>', 'the target, as in WEATHERD_DATABASE_URL')
    .option('--to-file <file>', 'a file with the URL of the target, which may contain a password')
    .option(
      '--data-dir <folder>',
      'the data directory of the target; only for sqlite:, which keeps its keys there',
    )
    .addHelpText(
      'after',
      '\nStop the service first, because changes during the copy make it fail. To continue an interrupted copy, run the\n' +
        'same command again. The exit status is 0 if both were compared and are equal, otherwise 1.',
    )
    .action(async (options: CopyOptions, command: Command) => {
      if ((options.to === undefined) === (options.toFile === undefined))
        command.error('error: give either --to or --to-file');
      await terminal.interruptibly(async (signal) => {
        const bar = await makeBar(0, terminal);
        try {
          const message = await copy(options, {
            signal,
            onStart: (rows) => bar.start(2 * rows, 0),
            onRows: (rows) => bar.increment(rows),
          });
          bar.stop();
          terminal.print(message);
        } finally {
          bar.stop();
        }
      });
    });
}
