import type { StoredUploadKey } from '#domain/uploads/upload-key.js';
import type { Sender } from '#domain/uploads/upload.js';
import type { Station } from '#domain/weather/station.js';
import { stationFor } from '#domain/weather/stations/audience.js';
import type { Directory, StationDirectory } from '../../stations/station-directory.js';
import type { KeySecrets } from './key-secrets.js';
import type { UploadKeyCache } from './upload-key-cache.js';

/** The sender of an upload. */
export type IdentifiedSender =
  | {
      readonly kind: 'key';
      readonly key: StoredUploadKey;
      readonly station: Station;
      readonly isPrevious: boolean;
      /** The stations at the time of the look-up. */
      readonly directory: Directory;
    }
  /**
   * The upload is refused for one of these reasons:
   *
   * - The key in the path of the upload is wrong.
   * - The upload contains the id of a station that everybody sees, and a wrong key for this station.
   * - The station of the key has been removed. Only for this reason, the property `key` is present.
   */
  | { readonly kind: 'refused'; readonly detail: string; readonly key?: StoredUploadKey }
  /**
   * The upload has an unknown station id, a wrong key for a station that not everybody sees, or no key. `digest` is the digest of
   * the text by which the sender can be recognized in later uploads: its PASSKEY or MAC, or the id and the password. It is null
   * if the upload has no such text.
   */
  | { readonly kind: 'stranger'; readonly digest: string | null };

/** Finds the key of the sender of an upload. */
export class IdentifySender {
  readonly #directory: StationDirectory;
  readonly #keys: UploadKeyCache;
  readonly #secrets: KeySecrets;
  readonly #readAccess: 'public' | 'token';

  /**
   * @param readAccess `public`: stations can be visible to everybody. `token`: a client needs a token to read, so no station is
   *   visible to everybody
   */
  constructor(
    directory: StationDirectory,
    keys: UploadKeyCache,
    secrets: KeySecrets,
    readAccess: 'public' | 'token',
  ) {
    this.#directory = directory;
    this.#keys = keys;
    this.#secrets = secrets;
    this.#readAccess = readAccess;
  }

  /** @param now milliseconds since 1970-01-01T00:00:00Z. @throws DomainError STORE_UNAVAILABLE */
  async execute({ key: typed, id, password, identity }: Sender, now: number): Promise<IdentifiedSender> {
    const directory = await this.#directory.current();
    const { byId, byNumber } = directory;
    const withStation = (
      found: { readonly key: StoredUploadKey; readonly isPrevious: boolean } | undefined,
    ): IdentifiedSender | undefined => {
      if (found === undefined) return undefined;
      const station = byNumber.get(found.key.station);
      if (station !== undefined) return { kind: 'key', ...found, station, directory };
      return { kind: 'refused', detail: 'The station of this key has been removed.', key: found.key };
    };
    if (typed !== undefined)
      return (
        withStation(await this.#bySecret(typed, now)) ?? { kind: 'refused', detail: 'The key is wrong.' }
      );
    if (id !== undefined) {
      const named = byId.get(id);
      const found = password === undefined ? undefined : withStation(await this.#bySecret(password, now));
      if (found?.kind === 'key' && found.station === named) return found;
      // For a station that not everybody sees, the reply to a wrong key must not differ from the reply to an unknown id.
      const seen = named !== undefined && this.#isSeen(named);
      // If the password is the secret of a key whose station has been removed, the upload is refused for this reason. But if the
      // upload contains the id of a station that everybody sees, the code below decides.
      if (found?.kind === 'refused' && !seen) return found;
      const login = this.#secrets.ofLogin(id, password ?? '');
      const approved = withStation(await this.#keys.find(login, now));
      if (approved !== undefined) return approved;
      if (seen) return { kind: 'refused', detail: `The key of station ${id} is wrong.` };
      return { kind: 'stranger', digest: login };
    }
    if (identity === undefined) return { kind: 'stranger', digest: null };
    const digest = this.#secrets.ofIdentity(identity);
    return withStation(await this.#keys.find(digest, now)) ?? { kind: 'stranger', digest };
  }

  #isSeen(station: Station): boolean {
    return this.#readAccess === 'public' && stationFor('everybody', station) !== undefined;
  }

  async #bySecret(typed: string, now: number) {
    const digest = this.#secrets.ofSecret(typed);
    return digest === undefined ? undefined : await this.#keys.find(digest, now);
  }
}
