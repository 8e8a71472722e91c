import type { Lease } from '#application/ports/lease.js';

/** A lease that is the lock of a file, so that it costs no writes, and ends with the process. */
export class FileLease implements Lease {
  readonly #file: string;
  #unlock: (() => void) | undefined;

  /** @param file the file of the lock, which is made and stays */
  constructor(file: string) {
    this.#file = file;
  }

  get isHeld(): boolean {
    return this.#unlock !== undefined;
  }

  async acquire(): Promise<boolean> {
    if (this.#unlock !== undefined) return true;
    // Loaded only here, because most services need no lease.
    const { lockFolder } = await import('./folder-lock.js');
    this.#unlock ??= lockFolder(this.#file, 'weatherd');
    return this.isHeld;
  }

  async release(): Promise<void> {
    this.#unlock?.();
    this.#unlock = undefined;
  }
}
