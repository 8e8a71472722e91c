import type { Command } from 'commander';
import { makeBar } from './progress-bar.js';
import type { Terminal } from './terminal.js';

/** Reports the progress of rewriting a file. */
export interface CompactObserver {
  /** Called once, before the file is rewritten. From then on a signal does not end the work. */
  readonly onStart: (bytes: number) => void;
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** Gives free space in the data file back to the disk. @returns a message about the result */
export type CompactAction = (observer: CompactObserver) => Promise<string>;

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
      terminal.interruptibly(async (signal) => {
        const bar = await makeBar(0, terminal);
        let isRewriting = false;
        signal.addEventListener('abort', () => {
          if (isRewriting)
            terminal.printError(
              'The file is being rewritten. A second signal ends this and leaves it as it was.',
            );
        });
        try {
          const message = await compact({
            signal,
            onStart: (bytes) => {
              isRewriting = true;
              bar.start(bytes, 0);
            },
            onBytes: (bytes) => bar.increment(bytes),
          });
          bar.stop();
          terminal.print(message);
        } finally {
          bar.stop();
        }
      }),
    );
}
