import { makeBar } from './progress-bar.js';
import type { Terminal } from './terminal.js';

/** Reports the progress of work on a file, and can cancel the work. */
export interface ByteObserver {
  /** Called once before the first bytes are processed, with the total number of bytes. */
  readonly onStart: (bytes: number) => void;
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** Displays a progress bar during work on a file. A signal to the process cancels the work. */
export async function withByteProgress(
  terminal: Terminal,
  work: (observer: ByteObserver) => Promise<string>,
): Promise<void> {
  await terminal.interruptibly(async (signal) => {
    const bar = await makeBar(0, terminal);
    let message: string;
    try {
      message = await work({
        signal,
        onStart: (bytes) => bar.start(bytes, 0),
        onBytes: (bytes) => bar.increment(bytes),
      });
    } finally {
      bar.stop();
    }
    terminal.print(message);
  });
}
