import type { Caller } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { acceptNote, DEFAULT_SETTINGS, type StoredUploadKey } from '#domain/uploads/upload-key.js';
import { storesRainByDefault } from '#domain/uploads/rain-sender.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';
import { type UploadKeyView, keyView } from '../keys/key-view.js';
import type { UploadKeyCache } from '../keys/upload-key-cache.js';
import type { PendingSenders } from './pending-senders.js';

export interface Approval {
  /** The id of the pending sender, see `PendingSender.id`. */
  readonly id: string;
  /** The id of the station that gets the uploads of the sender. */
  readonly station: string;
  readonly note?: string;
}

/**
 * Approves a pending sender, which is a sender without an upload key. Approval creates a key whose secret is a text that the
 * sender already sends, for example its PASSKEY. Such a key is called weak, because other people may know the text.
 */
export class ApprovePendingUpload {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #keys: UploadKeyCache;
  readonly #pending: PendingSenders;
  readonly #audit: AuditTrail;

  constructor(
    clock: Clock,
    stations: StationStore,
    keys: UploadKeyCache,
    pending: PendingSenders,
    audit: AuditTrail,
  ) {
    this.#clock = clock;
    this.#stations = stations;
    this.#keys = keys;
    this.#pending = pending;
    this.#audit = audit;
  }

  /**
   * @throws DomainError UPLOAD_SENDER_UNKNOWN, STATION_UNKNOWN, UPLOAD_KEY_EXISTS; REQUEST_INVALID for the note, and for a sender
   *   that cannot be distinguished from others
   */
  async execute({ id, station: stationId, note = '' }: Approval, caller: Caller): Promise<UploadKeyView> {
    const sender = (await this.#pending.list()).find((known) => known.id === id.toLowerCase());
    if (sender === undefined) {
      throw new DomainError('UPLOAD_SENDER_UNKNOWN', `There is no pending sender ${JSON.stringify(id)}.`);
    }
    if (sender.digest === null) {
      throw new DomainError(
        'REQUEST_INVALID',
        sender.isWrongKey === true
          ? 'The key of this sender is wrong. Correct the key in the console.'
          : 'This sender sends nothing that distinguishes it from other senders, so it cannot be approved. It needs an upload key.',
      );
    }
    const station = await findStation(this.#stations, stationId);
    const keys = await this.#keys.list();
    const rain = storesRainByDefault(station.number, keys);
    const key: Omit<StoredUploadKey, 'number'> = {
      station: station.number,
      note: acceptNote(note),
      weak: true,
      madeAt: this.#clock.now(),
      rotatedAt: null,
      previousUntil: null,
      mappings: [],
      settings: { ...DEFAULT_SETTINGS, rain },
      digest: sender.digest,
      previousDigest: null,
    };
    const number = await this.#keys.add(key);
    if (number === undefined)
      throw new DomainError('UPLOAD_KEY_EXISTS', 'This sender already has an upload key.');
    await this.#audit.record(caller, 'upload-approve', String(number), 'done', { station: stationId });
    await this.#pending.remove(id);
    return keyView({ ...key, number }, new Map([[station.number, station]]), keys);
  }
}
