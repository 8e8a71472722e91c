import { DomainError } from '#domain/domain-error.js';
import { NO_STATUS } from '#domain/uploads/upload-status.js';
import { invalidToken } from '../../accounts/sessions/authorize.js';
import type { Clock } from '../../ports/clock.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { KeySecrets } from './key-secrets.js';
import type { UploadStatuses } from '../status/upload-statuses.js';
import type { UploadKeyCache } from './upload-key-cache.js';

/** The upload key of a request. */
export interface UploadKeyGrant {
  /** The number of the key, see `UploadKey.number`. */
  readonly number: number;
  /** The author of the changes of the request in the audit trail (see `Caller.actor`), for example `upload key 3`. */
  readonly actor: string;
  /** The id of the only station to which the key may write. */
  readonly station: string;
}

/** Checks an upload key that a script sends as bearer token in order to write observations. */
export class AuthorizeUploadKey {
  readonly #clock: Clock;
  readonly #directory: StationDirectory;
  readonly #keys: UploadKeyCache;
  readonly #secrets: KeySecrets;
  readonly #statuses: UploadStatuses;

  constructor(
    clock: Clock,
    directory: StationDirectory,
    keys: UploadKeyCache,
    secrets: KeySecrets,
    statuses: UploadStatuses,
  ) {
    this.#statuses = statuses;
    this.#clock = clock;
    this.#directory = directory;
    this.#keys = keys;
    this.#secrets = secrets;
  }

  /**
   * Checks whether a token is an upload key of a station, and notes the use of the key in the status of the key.
   *
   * A weak key is refused as if it did not exist. The secret of a weak key is a text that other people may know, for example the
   * PASSKEY of a console.
   *
   * @param station id of the station to which the request wants to write
   * @throws DomainError AUTH_TOKEN_INVALID; AUTH_NOT_ALLOWED if the key belongs to another station
   */
  async execute(token: string, station: string): Promise<UploadKeyGrant> {
    const now = this.#clock.now();
    const digest = this.#secrets.ofSecret(token);
    const found = digest === undefined ? undefined : await this.#keys.find(digest, now);
    if (found === undefined) throw invalidToken();
    const { number, station: own } = found.key;
    const id = (await this.#directory.current()).byNumber.get(own)?.id;
    if (id !== station) {
      throw new DomainError(
        'AUTH_NOT_ALLOWED',
        'This upload key can only write observations of another station.',
      );
    }
    const used = { lastPush: now, dialect: 'api', usesPrevious: found.isPrevious };
    this.#statuses.note(number, { ...NO_STATUS, ...used });
    return { number, actor: `upload key ${number}`, station };
  }
}
