import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { link, open, readFile, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DomainError } from '../../domain/domain-error.js';

export interface SigningKey {
  /** RFC 7638 thumbprint of the public key. */
  readonly id: string;
  readonly privateKey: KeyObject;
}

/**
 * The P-256 key in a PEM file. The file is the truth: when it goes, is damaged or changes while the service runs,
 * the next `load` says so, and when it is back all is well again.
 */
export class SigningKeyFile {
  readonly #file: string;
  #loaded: { readonly version: string; readonly key: SigningKey } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Makes the key when there is none. Whole or not at all, and of two processes at once only one wins. */
  async createIfMissing(): Promise<void> {
    if (await stat(this.#file).catch(() => undefined)) return;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const temporary = `${this.#file}.${randomUUID()}.tmp`;
    try {
      await writeDurably(temporary, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
      await link(temporary, this.#file);
      await syncDirectory(dirname(this.#file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await unlink(temporary).catch(() => undefined); // It may never have come to exist.
    }
  }

  /** The key, read again only when the file has changed. Rejects with SIGNING_KEY_UNAVAILABLE. */
  async load(): Promise<SigningKey> {
    try {
      const { ino, size, mtimeNs } = await stat(this.#file, { bigint: true });
      const version = `${ino}/${size}/${mtimeNs}`;
      if (this.#loaded?.version !== version) {
        this.#loaded = { version, key: parse(await readFile(this.#file, 'utf8')) };
      }
      return this.#loaded.key;
    } catch (error) {
      this.#loaded = undefined;
      const cause = new Error(`${this.#file}: ${(error as Error).message}`, { cause: error });
      throw new DomainError('SIGNING_KEY_UNAVAILABLE', 'There is no usable signing key.', { cause });
    }
  }
}

function parse(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  if (privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error('not a P-256 private key');
  const { crv, kty, x, y } = createPublicKey(privateKey).export({ format: 'jwk' });
  // RFC 7638, section 3: the required members alone, in this order, without white space.
  const id = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { id, privateKey };
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
