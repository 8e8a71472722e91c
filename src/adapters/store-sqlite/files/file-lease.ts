import type { Lease } from '#application/ports/lease.js';

/**
 * A lease, which is the right to do work that only one process at a time may do on the same data. This lease is a file lock:
 * holding it needs no writes, and the lock ends with the process.
 */
export class FileLease implements Lease {
  readonly #file: string;
  #unlock: (() => void) | undefined;

  /** @param file path of the lock file. It is created, and is never removed. */
  constructor(file: string) {
    this.#file = file;
  }

  get isHeld(): boolean {
    return this.#unlock !== undefined;
  }

  async acquire(): Promise<boolean> {
    if (this.#unlock !== undefined) return true;
    // The module is loaded here, because most services need no lease.
    const { lockFolder } = await import('./folder-lock.js');
    this.#unlock ??= lockFolder(this.#file, 'weatherd');
    return this.isHeld;
  }

  async release(): Promise<void> {
    this.#unlock?.();
    this.#unlock = undefined;
  }
}
