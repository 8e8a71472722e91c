import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '#domain/domain-error.js';

const GIBIBYTE = 1_073_741_824;
/** Largest number of bytes of the temporary files of one command. */
export const MAX_UNPACKED = 4 * GIBIBYTE;

/** Number of bytes after which the free space is looked at again. */
const LOOK = 16 * 1_048_576;

/** Where temporary files are created. */
export interface TemporaryPlace {
  readonly folder: string;
  /** Fails if the disk has too little space for more bytes. */
  readonly assertSpace: () => Promise<void>;
  /** The error for a full disk. */
  readonly full: (label: string) => DomainError;
}

const SYSTEM_PLACE: TemporaryPlace = {
  folder: tmpdir(),
  assertSpace: () => Promise.resolve(),
  full: (label) =>
    new DomainError(
      'REQUEST_INVALID',
      `${label} must be decompressed to disk, and ${tmpdir()} has no space for it. Name another folder with the environment variable TMPDIR.`,
    ),
};

/**
 * Temporary files on disk, for sources that must be on disk to be read (databases, archives) but are compressed or come from
 * standard input. The folder is created for the first file. Other users cannot read it.
 */
export class TemporaryFolder {
  readonly #maxBytes: number;
  readonly #place: TemporaryPlace;
  #folder: Promise<string> | undefined;
  #files = 0;
  #bytes = 0;
  /** The number of bytes when the free space was last looked at. */
  #looked = -Infinity;

  /**
   * @param maxBytes largest number of bytes of all files together
   * @param place where the temporary folder is created
   */
  constructor(maxBytes = MAX_UNPACKED, place = SYSTEM_PLACE) {
    this.#maxBytes = maxBytes;
    this.#place = place;
  }

  /**
   * Writes a file.
   *
   * @param label name of the source, for messages
   * @returns the path of the file
   * @throws DomainError REQUEST_INVALID if the files are larger than allowed; the error of the place if the disk is full
   */
  async write(label: string, pieces: AsyncIterable<Uint8Array>): Promise<string> {
    this.#folder ??= mkdtemp(join(this.#place.folder, 'weatherd-import-'));
    const path = join(await this.#folder, String((this.#files += 1)));
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const piece of pieces) {
        this.#bytes += piece.length;
        if (this.#bytes > this.#maxBytes) throw tooLarge(label, this.#maxBytes);
        if (this.#bytes - this.#looked >= LOOK) {
          this.#looked = this.#bytes;
          await this.#place.assertSpace();
        }
        await file.writeFile(piece);
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw code === 'ENOSPC' || code === 'EDQUOT' ? this.#place.full(label) : error;
    } finally {
      await file.close();
    }
    return path;
  }

  async remove(): Promise<void> {
    const folder = this.#folder;
    this.#folder = undefined;
    if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
  }
}

function tooLarge(label: string, maxBytes: number): DomainError {
  const limit = maxBytes >= GIBIBYTE ? `${maxBytes / GIBIBYTE} GiB` : `${maxBytes} bytes`;
  return new DomainError(
    'REQUEST_INVALID',
    `${label} has more than ${limit} after decompression, which is the limit. Decompress it yourself, and import the decompressed file.`,
  );
}
