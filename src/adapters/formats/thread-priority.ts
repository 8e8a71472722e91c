import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread, so that the thread that answers requests runs first where there are fewer cores
 * than busy threads. Only Linux has priorities of threads. The function is here because adapters may import this folder only,
 * and several have threads.
 */
export function lowerThreadPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Other systems work without it.
  }
}
