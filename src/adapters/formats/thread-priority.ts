import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread, so that the thread that answers requests runs first if there are fewer cores
 * than busy threads. Only Linux has priorities of threads; other systems ignore the call. The function is in this folder
 * because several adapters have threads, and all adapters may import it.
 */
export function lowerThreadPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The error is ignored, because systems other than Linux have no priority of a thread.
  }
}
