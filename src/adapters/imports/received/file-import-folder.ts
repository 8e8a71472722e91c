import { mkdir, open, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportFolder } from '#application/ports/import-folder.js';
import { DomainError } from '#domain/domain-error.js';
import type { TemporaryPlace } from '../files/temporary-folder.js';

const MEBIBYTE = 1_048_576;
/** Space that received files and their unpacked files leave free on the disk, because the database needs space for the rows. */
const RESERVE = 256 * MEBIBYTE;
/** Number of bytes after which the free space is looked at again. */
const LOOK = 16 * MEBIBYTE;
const RECORD = 'import.json';
/** The folder of the file. Its name is fixed, so that a file may have the name of the record. */
const FILES = 'file';

/** Keeps received files in folders that only the user of the service can read. */
export class FileImportFolder implements ImportFolder {
  readonly #folder: string;
  readonly #freeBytes: (folder: string) => Promise<number>;
  /** The last write of the record of each import. The writes are done one after the other. */
  readonly #saving = new Map<string, Promise<void>>();

  /**
   * @param folder created for the first file
   * @param freeBytes the free space of the disk of a folder
   */
  constructor(folder: string, freeBytes = availableBytes) {
    this.#folder = folder;
    this.#freeBytes = freeBytes;
  }

  /** The path of the file of an import. */
  pathOf(id: string, name: string): string {
    return join(this.#folder, id, FILES, name);
  }

  /** Where the unpacked files of an import are created. They are removed with the import. */
  placeOf(id: string): TemporaryPlace {
    return { folder: this.folderOf(id), assertSpace: () => this.#assertSpace(), full: diskFull };
  }

  /** The folder of an import. */
  folderOf(id: string): string {
    return join(this.#folder, id);
  }

  async receive(id: string, name: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    try {
      await mkdir(join(this.folderOf(id), FILES), { recursive: true, mode: 0o700 });
      return await this.#write(this.pathOf(id, name), bytes);
    } catch (error) {
      await this.remove(id);
      const { code } = error as NodeJS.ErrnoException;
      throw code === 'ENOSPC' || code === 'EDQUOT' ? diskFull() : error;
    }
  }

  async lastByteAt(id: string, name: string): Promise<number | undefined> {
    try {
      return (await stat(this.pathOf(id, name))).mtimeMs;
    } catch {
      return undefined;
    }
  }

  async save(id: string, record: unknown): Promise<void> {
    const text = JSON.stringify(record);
    const before = this.#saving.get(id) ?? Promise.resolve();
    const saving = before.catch(() => undefined).then(() => this.#replace(id, text));
    this.#saving.set(id, saving);
    try {
      await saving;
    } finally {
      if (this.#saving.get(id) === saving) this.#saving.delete(id);
    }
  }

  async load(): Promise<readonly unknown[]> {
    const records: unknown[] = [];
    const names = await readdir(this.#folder).catch(() => []);
    for (const id of names) {
      const record = await readRecord(join(this.folderOf(id), RECORD));
      if (record?.id !== id) {
        await this.remove(id);
        continue;
      }
      records.push(record);
      // A service that was killed may have left unpacked files.
      for (const name of await readdir(this.folderOf(id)))
        if (name !== RECORD && name !== FILES)
          await rm(join(this.folderOf(id), name), { recursive: true, force: true });
    }
    return records;
  }

  async remove(id: string): Promise<void> {
    await this.#saving.get(id)?.catch(() => undefined);
    await rm(this.folderOf(id), { recursive: true, force: true });
  }

  async #write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const file = await open(path, 'wx', 0o600);
    try {
      let [length, looked] = [0, -Infinity];
      for await (const piece of bytes) {
        if (length - looked >= LOOK) {
          looked = length;
          await this.#assertSpace();
        }
        length += piece.length;
        await file.writeFile(piece);
      }
      if (length === 0)
        throw new DomainError('REQUEST_INVALID', 'The body is empty. Send the bytes of a file.');
      await file.sync();
      return length;
    } finally {
      await file.close();
    }
  }

  async #assertSpace(): Promise<void> {
    if ((await this.#freeBytes(this.#folder)) < RESERVE) throw diskFull();
  }

  async #replace(id: string, text: string): Promise<void> {
    const path = join(this.folderOf(id), RECORD);
    const file = await open(`${path}.new`, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
  }
}

async function readRecord(path: string): Promise<{ readonly id?: unknown } | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as { readonly id?: unknown };
  } catch {
    return undefined;
  }
}

async function availableBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function diskFull(): DomainError {
  return new DomainError(
    'DISK_FULL',
    'The disk of the service has too little space for this file and its content. Nothing of it was written.',
  );
}
