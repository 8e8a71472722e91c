import type { Command } from 'commander';
import { type ByteObserver, withByteProgress } from './byte-progress.js';
import type { Terminal } from './terminal.js';

/** Gives free space in the data file back to the disk. @returns a message about the result */
export type CompactAction = (observer: ByteObserver) => Promise<string>;

/** `weatherd compact`. */
export function addCompactCommand(program: Command, terminal: Terminal, compact: CompactAction): void {
  program
    .command('compact')
    .description('merge all commits, and give free space in the data file back to the disk')
    .addHelpText(
      'after',
      '\nCommits are merged also while the service runs. The free space is given back only while it is stopped, and\n' +
        'needs as much free disk space as twice what is in use in the file. The exit status is 0 only when it was given\n' +
        'back, or there was none.',
    )
    .action(() =>
      withByteProgress(terminal, (observer) => {
        let isRewriting = false;
        observer.signal.addEventListener('abort', () => {
          if (isRewriting)
            terminal.printError(
              'The file is being rewritten. A second signal ends this and leaves it as it was.',
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
