import { access, constants, statfs } from 'node:fs/promises';
import type { Check } from '#application/ports/check.js';
import { DomainError } from '#domain/domain-error.js';

/** Free bytes below which the next commits may fail: the size of sixteen pages of the data file. */
const FULL = 65_536;
/** Free bytes below which the check warns: the usual maximum size of the write-ahead log. */
const NEARLY_FULL = 67_108_864;

/** The size and the free blocks of a file system, as `statfs` of node:fs returns them. */
export interface DiskSpace {
  readonly bsize: number;
  readonly blocks: number;
  readonly bfree: number;
  readonly bavail: number;
}

/**
 * Checks that the disk has free space and that the file may be written. The check only queries the file system, because a test
 * write at every check would wear out the SD cards of small computers.
 */
export class DiskCheck implements Check {
  readonly name = 'disk';
  readonly #file: string;
  readonly #measure: (file: string) => Promise<DiskSpace>;

  constructor(file: string, measure: (file: string) => Promise<DiskSpace> = statfs) {
    this.#file = file;
    this.#measure = measure;
  }

  async check(): Promise<string | undefined> {
    await access(this.#file, constants.W_OK).catch((cause: unknown) => {
      throw new DomainError('STORE_UNAVAILABLE', 'The data file cannot be written.', { cause });
    });
    // Some network file systems do not report their size.
    const space = await this.#measure(this.#file).catch(() => undefined);
    if (space === undefined || space.blocks === 0) return undefined;
    const { bsize, bfree, bavail } = space;
    // `bfree` includes the blocks that are reserved for root, and `bavail` does not.
    const bytes = bsize * (process.getuid?.() === 0 ? bfree : bavail);
    if (bytes < FULL) throw new DomainError('STORE_UNAVAILABLE', 'The disk is full.');
    return bytes < NEARLY_FULL ? 'The disk is nearly full.' : undefined;
  }
}
