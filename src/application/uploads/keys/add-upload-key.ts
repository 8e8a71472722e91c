import type { Caller } from '#domain/accounts/audit-event.js';
import { storesRainByDefault } from '#domain/uploads/rain-sender.js';
import type { StoredUploadKey, UploadSettings } from '#domain/uploads/upload-key.js';
import { acceptNote, acceptSettings } from '#domain/uploads/upload-key.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation, unknownStation } from '../../stations/find-station.js';
import { type IssuedUploadKey, keyView } from './key-view.js';
import type { KeySecrets } from './key-secrets.js';
import type { UploadKeyCache } from './upload-key-cache.js';

export interface UploadKeyRequest {
  /** The id of the station to which the key writes. */
  readonly station: string;
  readonly note?: string;
  readonly settings?: Partial<UploadSettings>;
}

/**
 * Creates an upload key, with which a sender may write observations of a station. A station may have many keys. If no setting is
 * given, the rain in the uploads with the new key is stored only if no other key of the station stores rain, because otherwise
 * the rain would be counted twice.
 */
export class AddUploadKey {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #keys: UploadKeyCache;
  readonly #secrets: KeySecrets;
  readonly #audit: AuditTrail;

  constructor(
    clock: Clock,
    stations: StationStore,
    keys: UploadKeyCache,
    secrets: KeySecrets,
    audit: AuditTrail,
  ) {
    this.#clock = clock;
    this.#stations = stations;
    this.#keys = keys;
    this.#secrets = secrets;
    this.#audit = audit;
  }

  /** @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for the note or a setting */
  async execute(
    { station: id, note = '', settings = {} }: UploadKeyRequest,
    caller: Caller,
  ): Promise<IssuedUploadKey> {
    acceptSettings(settings);
    const accepted = { note: acceptNote(note) };
    const station = await findStation(this.#stations, id);
    const keys = await this.#keys.list();
    const rain = storesRainByDefault(station.number, keys);
    const { secret, digest } = this.#secrets.create();
    const key: Omit<StoredUploadKey, 'number'> = {
      ...accepted,
      settings: acceptSettings({ rain, ...settings }),
      station: station.number,
      weak: false,
      madeAt: this.#clock.now(),
      rotatedAt: null,
      previousUntil: null,
      mappings: [],
      digest,
      previousDigest: null,
    };
    const number = await this.#keys.add(key);
    // The station was permanently removed between the look-up and the commit.
    if (number === undefined) throw unknownStation(id);
    await this.#audit.record(caller, 'upload-key-add', String(number), 'done', { station: id });
    return { key: keyView({ ...key, number }, new Map([[station.number, station]]), keys), secret };
  }
}
