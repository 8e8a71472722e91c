import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { KeyStore, StoredKey } from '#application/ports/key-store.js';
import { DomainError } from '#domain/domain-error.js';

const SUFFIX = '.json';

const time = z.int().nonnegative();
const content = z.strictObject({
  id: z.string().regex(/^[\w-]{43}$/),
  createdAt: time,
  signsFrom: time,
  verifiesUntil: time.nullable(),
  retiredAt: time.nullable(),
  privateKey: z.string().nullable(),
});

/**
 * Stores signing keys in a directory, one file for each key (mode 0600). Nothing is cached: `list` reads the directory each
 * time, so that it sees added, removed and damaged files while the service runs. If the directory is missing, there are no
 * keys. Several instances may share a directory.
 */
export class FileKeyStore implements KeyStore {
  readonly #directory: string;
  #damaged: readonly string[] = [];

  constructor(directory: string) {
    this.#directory = directory;
  }

  async list(): Promise<readonly StoredKey[]> {
    return this.#guarded(async () => {
      const names = (await this.#names()).filter((name) => name.endsWith(SUFFIX)).sort();
      const read = await Promise.all(names.map((name) => this.#read(name)));
      this.#damaged = read.filter((key) => typeof key === 'string');
      return read.filter((key) => typeof key === 'object');
    });
  }

  get damaged(): readonly string[] {
    return this.#damaged;
  }

  async add(key: StoredKey): Promise<void> {
    await this.#guarded(() => this.#write(key));
  }

  async setVerifiesUntil(id: string, verifiesUntil: number): Promise<void> {
    await this.#change(id, { verifiesUntil });
  }

  async retire(id: string, retiredAt: number): Promise<void> {
    await this.#change(id, { retiredAt, privateKey: null });
  }

  async #change(id: string, changes: Partial<StoredKey>): Promise<void> {
    const key = (await this.list()).find((candidate) => candidate.id === id);
    if (key !== undefined) await this.#guarded(() => this.#write({ ...key, ...changes }));
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  /** @returns the key in the file, or a description of the fault of the file */
  async #read(name: string): Promise<StoredKey | string> {
    let text: string;
    try {
      text = await readFile(join(this.#directory, name), 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const advice = code === 'EACCES' ? ': make the user of the service its owner' : '';
      return `${name} cannot be read (${code})${advice}`;
    }
    try {
      return content.parse(JSON.parse(text));
    } catch {
      // The messages of JSON.parse and zod may quote the private key, which must not reach the log. They are therefore not used.
      return `${name} is not a signing key`;
    }
  }

  /** Writes the file atomically. When the promise resolves, the file is on disk. */
  async #write(key: StoredKey): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const file = join(this.#directory, `${key.id}${SUFFIX}`);
    const temporary = `${file}.${randomUUID()}.tmp`;
    try {
      await writeDurably(temporary, `${JSON.stringify(key, null, 2)}\n`);
      await rename(temporary, file);
    } catch (error) {
      await unlink(temporary).catch(() => undefined); // The temporary file may not exist.
      throw error;
    }
    await syncDirectory(this.#directory);
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const cause = new Error(`${this.#directory}: ${(error as Error).message}`, { cause: error });
      throw new DomainError('SIGNING_KEY_UNAVAILABLE', 'There is no usable signing key.', { cause });
    }
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
