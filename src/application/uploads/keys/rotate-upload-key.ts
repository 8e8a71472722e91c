import type { Caller } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { KeySecrets } from './key-secrets.js';
import { type IssuedUploadKey, keyView } from './key-view.js';
import { unknownKey, type UploadKeyCache } from './upload-key-cache.js';

/** Maximum time in seconds for which both the old and the new secret are accepted. */
export const MAX_OVERLAP = (90 * MILLISECONDS.day) / MILLISECONDS.second;
/** Default time in seconds for which both the old and the new secret are accepted. */
export const DEFAULT_OVERLAP = (7 * MILLISECONDS.day) / MILLISECONDS.second;

/**
 * Gives an upload key a new secret. These do not change: the number, the mappings and the status of the key, and the stored state
 * of the counters (for example of rain) of its sender.
 */
export class RotateUploadKey {
  readonly #clock: Clock;
  readonly #directory: StationDirectory;
  readonly #keys: UploadKeyCache;
  readonly #secrets: KeySecrets;
  readonly #audit: AuditTrail;

  constructor(
    clock: Clock,
    directory: StationDirectory,
    keys: UploadKeyCache,
    secrets: KeySecrets,
    audit: AuditTrail,
  ) {
    this.#clock = clock;
    this.#directory = directory;
    this.#keys = keys;
    this.#secrets = secrets;
    this.#audit = audit;
  }

  /**
   * Gives the key a new secret. During the overlap, which is a time of `input.overlap` seconds, both the new and the replaced
   * secret are accepted. Older secrets are refused at once. For example, if a key gets secret B and soon after secret C, then B
   * and C are accepted, and the first secret A is refused.
   *
   * The secret of a weak key is a text that other people may know, for example the PASSKEY of a console. A weak key gets a random
   * secret, and is then no longer weak. The PASSKEY is still accepted during the overlap.
   *
   * @param input.overlap seconds, 0 to `MAX_OVERLAP`
   * @throws DomainError UPLOAD_KEY_UNKNOWN; REQUEST_INVALID for the overlap
   */
  async execute(
    input: { readonly number: number; readonly overlap?: number },
    caller: Caller,
  ): Promise<IssuedUploadKey> {
    const { number, overlap = DEFAULT_OVERLAP } = input;
    if (!Number.isInteger(overlap) || overlap < 0 || overlap > MAX_OVERLAP) {
      throw new DomainError(
        'REQUEST_INVALID',
        `The overlap must be a whole number of seconds from 0 to ${MAX_OVERLAP}.`,
      );
    }
    const keys = await this.#keys.list();
    const key = keys.find((known) => known.number === number);
    if (key === undefined) throw unknownKey(number);
    const { secret, digest } = this.#secrets.create();
    const rotatedAt = this.#clock.now();
    const changes = {
      digest,
      weak: false,
      rotatedAt,
      previousDigest: overlap === 0 ? null : key.digest,
      previousUntil: overlap === 0 ? null : rotatedAt + overlap * MILLISECONDS.second,
    };
    await this.#keys.change(number, changes);
    const { byNumber } = await this.#directory.current();
    const station = byNumber.get(key.station)?.id;
    const detail = station === undefined ? null : { station };
    await this.#audit.record(caller, 'upload-key-rotate', String(number), 'done', detail);
    return { key: keyView({ ...key, ...changes }, byNumber, keys), secret };
  }
}
