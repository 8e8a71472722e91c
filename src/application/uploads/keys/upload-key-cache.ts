import { changedInMeantime, DomainError } from '#domain/domain-error.js';
import { DEFAULT_SETTINGS, type StoredUploadKey } from '#domain/uploads/upload-key.js';
import type { Clock } from '../../ports/clock.js';
import type { UploadKeyChanges, UploadKeyStore } from '../../ports/upload-key-store.js';
import type { KeySecrets } from './key-secrets.js';

/**
 * Milliseconds after which the store is asked again whether the upload keys have changed, because another process may have
 * changed them.
 */
const MAX_AGE = 1000;

interface Cached {
  readonly version: string;
  readonly list: readonly StoredUploadKey[];
  readonly byNumber: ReadonlyMap<number, StoredUploadKey>;
  /** The keys by the digest of their secret. A key also appears under the digest of its replaced secret. */
  readonly byDigest: ReadonlyMap<string, StoredUploadKey>;
}

/** A key that was found by the digest of its secret. */
export interface FoundKey {
  readonly key: StoredUploadKey;
  /** Whether the replaced secret was used. */
  readonly isPrevious: boolean;
}

/**
 * Caches all upload keys. After a second, the store is asked again whether the keys have changed. So a change takes effect at
 * once in the process that makes the change, and within a second in other processes.
 */
export class UploadKeyCache {
  readonly #clock: Clock;
  readonly #store: UploadKeyStore;
  readonly #secrets: KeySecrets;
  #cached: Cached | undefined;
  /** `Clock.uptime` at which the last read of the keys began. */
  #readAt = -Infinity;
  #reading: Promise<Cached> | undefined;

  constructor(clock: Clock, store: UploadKeyStore, secrets: KeySecrets) {
    this.#clock = clock;
    this.#store = store;
    this.#secrets = secrets;
  }

  /** The current keys, in rising order of their numbers. */
  async list(): Promise<readonly StoredUploadKey[]> {
    this.#forget();
    return (await this.#current()).list;
  }

  /**
   * Returns the key whose secret has this digest. The digest of a replaced secret is found too, as long as the replaced secret is
   * still accepted at `now`. If no key has the digest, the keys are read again from the store, so that a new key can be used at
   * once.
   */
  async find(digest: string, now: number): Promise<FoundKey | undefined> {
    const began = this.#clock.uptime();
    const found = this.#findIn(await this.#current(), digest, now);
    if (found !== undefined || this.#readAt >= began) return found;
    // The keys are read again for an unknown digest at most ten times a second. All senders share this limit.
    if (began - this.#readAt < MAX_AGE / 10) return undefined;
    this.#forget();
    return this.#findIn(await this.#current(), digest, now);
  }

  async get(number: number): Promise<StoredUploadKey | undefined> {
    return (await this.#current()).byNumber.get(number);
  }

  async add(key: Omit<StoredUploadKey, 'number'>): Promise<number | undefined> {
    return await this.#changing(() => this.#store.add(key));
  }

  /**
   * @param expected see `UploadKeyStore.change`
   * @throws DomainError UPLOAD_KEY_UNKNOWN; PRECONDITION_FAILED if the key is not as expected
   */
  async change(number: number, changes: UploadKeyChanges, expected?: string): Promise<void> {
    if (await this.#changing(() => this.#store.change(number, changes, expected))) return;
    throw expected === undefined ? unknownKey(number) : changedInMeantime('upload key', String(number));
  }

  /** @throws DomainError UPLOAD_KEY_UNKNOWN */
  async remove(number: number): Promise<void> {
    if (!(await this.#changing(() => this.#store.remove(number)))) throw unknownKey(number);
  }

  #findIn({ byDigest }: Cached, digest: string, now: number): FoundKey | undefined {
    const key = byDigest.get(digest);
    if (key === undefined) return undefined;
    if (this.#secrets.areEqual(key.digest, digest)) return { key, isPrevious: false };
    const { previousDigest, previousUntil } = key;
    if (previousDigest === null || previousUntil === null || now >= previousUntil) return undefined;
    return this.#secrets.areEqual(previousDigest, digest) ? { key, isPrevious: true } : undefined;
  }

  async #changing<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } finally {
      // The cache is dropped even if the change failed, because the store may have changed the key before the failure.
      this.#forget();
    }
  }

  #forget(): void {
    this.#readAt = -Infinity;
    this.#reading = undefined;
  }

  #current(): Promise<Cached> {
    const now = this.#clock.uptime();
    if (this.#cached !== undefined && now - this.#readAt < MAX_AGE) return Promise.resolve(this.#cached);
    if (this.#reading !== undefined) return this.#reading;
    const reading = this.#read().then((cached) => {
      if (this.#reading === reading) {
        this.#cached = cached;
        this.#readAt = now;
      }
      return cached;
    });
    this.#reading = reading;
    void reading
      .catch(() => undefined)
      .then(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
    return reading;
  }

  async #read(): Promise<Cached> {
    const version = await this.#store.version();
    if (this.#cached?.version === version) return this.#cached;
    const stored = await this.#store.keys();
    const list = stored.map((key) => ({ ...key, settings: { ...DEFAULT_SETTINGS, ...key.settings } }));
    const digests = (key: StoredUploadKey) =>
      key.previousDigest === null ? [key.digest] : [key.digest, key.previousDigest];
    return {
      version,
      list,
      byNumber: new Map(list.map((key) => [key.number, key])),
      byDigest: new Map(list.flatMap((key) => digests(key).map((digest) => [digest, key] as const))),
    };
  }
}

export function unknownKey(number: number): DomainError {
  return new DomainError('UPLOAD_KEY_UNKNOWN', `There is no upload key ${number}.`);
}
