import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '#domain/domain-error.js';

const GIBIBYTE = 1_073_741_824;
/** Bytes that the files of one command may have together. */
export const MAX_UNPACKED = 4 * GIBIBYTE;

/**
 * Files that have to be on disk to be read, as databases do, and are packed or come from standard input. The folder is made when
 * it is first needed. Nobody else can read it.
 */
export class TemporaryFolder {
  readonly #most: number;
  #folder: Promise<string> | undefined;
  #files = 0;
  #bytes = 0;

  /** @param most bytes of all files together */
  constructor(most = MAX_UNPACKED) {
    this.#most = most;
  }

  /**
   * Writes a file.
   *
   * @param label of its source, for messages
   * @returns its path
   * @throws DomainError REQUEST_INVALID where there is no room, or the files are larger than allowed
   */
  async write(label: string, pieces: AsyncIterable<Uint8Array>): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'weatherd-import-'));
    const path = join(await this.#folder, String((this.#files += 1)));
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const piece of pieces) {
        this.#bytes += piece.length;
        if (this.#bytes > this.#most) throw tooLarge(label, this.#most);
        await file.writeFile(piece);
      }
    } catch (error) {
      throw withSpaceReported(error, label);
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

function tooLarge(label: string, most: number): DomainError {
  const limit = most >= GIBIBYTE ? `${most / GIBIBYTE} GiB` : `${most} bytes`;
  return new DomainError(
    'REQUEST_INVALID',
    `${label} is larger than ${limit} when unpacked, which is the most that one command unpacks. Unpack it yourself, and import the unpacked file.`,
  );
}

function withSpaceReported(error: unknown, label: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new DomainError(
    'REQUEST_INVALID',
    `${label} has to be unpacked to be read, and there is no room for it in ${tmpdir()}. The environment variable TMPDIR names another folder.`,
  );
}
