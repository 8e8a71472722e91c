import { access, constants, statfs } from 'node:fs/promises';
import type { Check } from '../../../application/ports/check.js';
import { DomainError } from '../../../domain/domain-error.js';

/** Bytes below which the next commits may not find room: sixteen pages. */
const FULL = 65_536;
/** Bytes below which somebody should look: the write-ahead log at its usual greatest size. */
const NEARLY_FULL = 67_108_864;

/** How much room there is on the disk of a file; see `statfs` of node:fs. */
export interface Room {
  readonly bsize: number;
  readonly blocks: number;
  readonly bfree: number;
  readonly bavail: number;
}

/**
 * Looks whether the disk has room for data and may be written to. It asks the file system only, and writes nothing: a
 * probe at every check would wear out the SD cards that small stations run on.
 */
export class DiskCheck implements Check {
  readonly name = 'disk';
  readonly #file: string;
  readonly #measure: (file: string) => Promise<Room>;

  constructor(file: string, measure: (file: string) => Promise<Room> = statfs) {
    this.#file = file;
    this.#measure = measure;
  }

  async check(): Promise<string | undefined> {
    await access(this.#file, constants.W_OK).catch((cause: unknown) => {
      throw new DomainError('STORE_UNAVAILABLE', 'The data file cannot be written.', { cause });
    });
    // Some network file systems do not say.
    const room = await this.#measure(this.#file).catch(() => undefined);
    if (room === undefined || room.blocks === 0) return undefined;
    const { bsize, bfree, bavail } = room;
    // A part is kept for root.
    const bytes = bsize * (process.getuid?.() === 0 ? bfree : bavail);
    if (bytes < FULL) throw new DomainError('STORE_UNAVAILABLE', 'The disk is full.');
    return bytes < NEARLY_FULL ? 'The disk is nearly full.' : undefined;
  }
}
