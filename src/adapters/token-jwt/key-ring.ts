import type { Clock } from '#application/ports/clock.js';
import type { KeyStore } from '#application/ports/key-store.js';
import type { PublicKey, SigningKeys } from '#application/ports/signing-keys.js';
import { isVerifying, type KeyLife, signerAt } from '#domain/accounts/signing-key.js';
import { DomainError } from '#domain/domain-error.js';
import { generateKey, type KeyPair, parseKey } from './key-pair.js';

/** Milliseconds for which the keys are cached. After this time an instance uses the keys that another instance has changed. */
const MAX_AGE = 1000;

type LoadedKey = KeyLife & { readonly pair: KeyPair };

interface Ring {
  /** Changes whenever a key is added, removed or retired. */
  readonly version: string;
  readonly keys: readonly KeyLife[];
  readonly usable: readonly LoadedKey[];
  /** Descriptions of the keys that could not be read. */
  readonly damaged: readonly string[];
  readonly readAt: number;
}

/** The signing keys of a store. Each key is parsed only once. The list of keys is read again if it is more than a second old. */
export class KeyRing implements SigningKeys {
  readonly #store: KeyStore;
  readonly #clock: Clock;
  readonly #pairs = new Map<string, KeyPair>();
  #ring: Ring | undefined;
  #reading: Promise<Ring> | undefined;

  constructor(store: KeyStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Creates a key if no key can sign. If two instances start at the same time, each may create a key, and both keys are used.
   *
   * No key is created if a damaged key exists, because otherwise each start would add a key. The damaged key may still be
   * restored from a backup.
   *
   * @throws DomainError SIGNING_KEY_UNAVAILABLE if the keys cannot be listed or the key cannot be stored
   */
  async createIfMissing(): Promise<void> {
    const { usable, damaged } = await this.#read();
    if (damaged.length > 0 || signerAt(usable, this.#clock.now()) !== undefined) return;
    await this.#add(this.#clock.now());
    await this.#read();
  }

  /** The key that signs now. @throws DomainError SIGNING_KEY_UNAVAILABLE if there is none */
  async signer(): Promise<LoadedKey> {
    const { usable, damaged } = await this.#current();
    const key = signerAt(usable, this.#clock.now());
    if (key === undefined) throw unavailable(new Error(['no key can sign', ...damaged].join('; ')));
    return key;
  }

  /** The key with the id `id`; undefined if there is no such key or its signatures are not accepted now. */
  async verifier(id: string): Promise<LoadedKey | undefined> {
    const { usable } = await this.#current();
    const key = usable.find((candidate) => candidate.id === id);
    return key !== undefined && isVerifying(key, this.#clock.now()) ? key : undefined;
  }

  /** Version of the current keys (`Ring.version`). */
  async version(): Promise<string> {
    return (await this.#current()).version;
  }

  /**
   * Reads the keys again.
   *
   * @returns a description of the damaged keys, or undefined
   * @throws DomainError SIGNING_KEY_UNAVAILABLE if no key can sign
   */
  async check(): Promise<string | undefined> {
    const { damaged } = await this.#read();
    await this.signer();
    return damaged.length === 0 ? undefined : damaged.join('; ');
  }

  async list(): Promise<readonly KeyLife[]> {
    const { keys } = await this.#read();
    return keys.toSorted((a, b) => a.signsFrom - b.signsFrom);
  }

  async publicKeys(): Promise<readonly PublicKey[]> {
    const { usable } = await this.#current();
    const now = this.#clock.now();
    return usable.filter((key) => isVerifying(key, now)).map(({ pair }) => pair.description);
  }

  async rotate(signsFrom: number, verifiesUntil: number): Promise<KeyLife> {
    const before = await this.list();
    const created = await this.#add(signsFrom);
    for (const { id, verifiesUntil: current, retiredAt } of before) {
      if (current === null && retiredAt === null) await this.#store.setVerifiesUntil(id, verifiesUntil);
    }
    await this.#read();
    return created;
  }

  async retire(id: string): Promise<void> {
    const keys = await this.list();
    if (!keys.some((key) => key.id === id))
      throw new DomainError('KEY_UNKNOWN', `The key ${id} does not exist.`);
    const now = this.#clock.now();
    const others = keys.filter((key) => key.id !== id && key.signsFrom <= now);
    if (signerAt(others, now) === undefined) {
      throw new DomainError(
        'REQUEST_INVALID',
        'No other key signs yet. Create a key that signs at once, then retire this one.',
      );
    }
    await this.#store.retire(id, now);
    await this.#read();
  }

  async #add(signsFrom: number): Promise<KeyLife> {
    const privateKey = generateKey();
    const life = {
      id: parseKey(privateKey).description.kid,
      createdAt: this.#clock.now(),
      signsFrom,
      verifiesUntil: null,
      retiredAt: null,
    };
    await this.#store.add({ ...life, privateKey });
    return life;
  }

  async #current(): Promise<Ring> {
    const ring = this.#ring;
    return ring !== undefined && this.#clock.uptime() - ring.readAt < MAX_AGE ? ring : await this.#read();
  }

  #read(): Promise<Ring> {
    this.#reading ??= this.#load().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #load(): Promise<Ring> {
    this.#ring = undefined;
    const readAt = this.#clock.uptime();
    const stored = await this.#store.list();
    const usable: LoadedKey[] = [];
    const damaged = [...this.#store.damaged];
    for (const { privateKey, ...life } of stored) {
      if (privateKey === null || life.retiredAt !== null) continue;
      const pair = this.#pair(privateKey);
      if (pair === undefined) damaged.push(`the key ${life.id} is not a P-256 private key`);
      else usable.push({ ...life, pair });
    }
    const keys = stored.map(({ privateKey: _secret, ...life }) => life);
    const version = usable.map(({ id }) => id).join();
    this.#ring = { version, keys, usable, damaged, readAt };
    return this.#ring;
  }

  /** The parsed key, or undefined if the text is not a P-256 private key. */
  #pair(pem: string): KeyPair | undefined {
    const known = this.#pairs.get(pem);
    if (known !== undefined) return known;
    try {
      const pair = parseKey(pem);
      this.#pairs.set(pem, pair);
      return pair;
    } catch {
      return undefined;
    }
  }
}

function unavailable(cause: unknown): DomainError {
  return new DomainError('SIGNING_KEY_UNAVAILABLE', 'There is no usable signing key.', { cause });
}
