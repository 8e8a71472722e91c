import type { Command } from 'commander';
import { type ByteObserver, withByteProgress } from './byte-progress.js';
import type { Terminal } from './terminal.js';

/** Returns free space in the data file to the disk. @returns a message about the result */
export type CompactAction = (observer: ByteObserver) => Promise<string>;

/** Adds the command `weatherd compact`. */
export function addCompactCommand(program: Command, terminal: Terminal, compact: CompactAction): void {
  program
    .command('compact')
    .description('merge all commits, and return free space in the data file to the disk')
    .addHelpText(
      'after',
      '\nThe service merges commits as well while it runs. Free space is returned only while the service is stopped.\n' +
        'It needs free disk space of twice the used size of the file. The exit status is 0 only if the space was\n' +
        'returned, or if there was no free space.',
    )
    .action(() =>
      withByteProgress(terminal, (observer) => {
        let isRewriting = false;
        observer.signal.addEventListener('abort', () => {
          if (isRewriting)
            terminal.printError(
              'The file is being rewritten. A second signal cancels the command and leaves the file unchanged.',
            );
        });
        const onStart = (bytes: number) => {
          isRewriting = true;
          observer.onStart(bytes);
        };
        return compact({ ...observer, onStart });
      }),
    );
}
