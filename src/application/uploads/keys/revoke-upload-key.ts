import type { Caller } from '#domain/accounts/audit-event.js';
import { rainWarning } from '#domain/uploads/rain-sender.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import { unknownKey, type UploadKeyCache } from './upload-key-cache.js';

/**
 * Revokes an upload key. Two more things are removed with the key: the status of the key, and the stored state of the counters
 * (for example of rain) of its sender.
 */
export class RevokeUploadKey {
  readonly #directory: StationDirectory;
  readonly #keys: UploadKeyCache;
  readonly #audit: AuditTrail;

  constructor(directory: StationDirectory, keys: UploadKeyCache, audit: AuditTrail) {
    this.#directory = directory;
    this.#keys = keys;
    this.#audit = audit;
  }

  /**
   * This process refuses the key at once, other instances within a second.
   *
   * @returns new warnings about the rain of the other keys of the station
   * @throws DomainError UPLOAD_KEY_UNKNOWN
   */
  async execute(number: number, caller: Caller): Promise<readonly string[]> {
    const keys = await this.#keys.list();
    const key = keys.find((known) => known.number === number);
    if (key === undefined) throw unknownKey(number);
    const station = (await this.#directory.current()).byNumber.get(key.station)?.id;
    await this.#keys.remove(number);
    const detail = station === undefined ? null : { station };
    await this.#audit.record(caller, 'upload-key-revoke', String(number), 'done', detail);
    const others = keys.filter((other) => other.station === key.station && other.number !== number);
    return others.flatMap((other) => {
      const warning = rainWarning(other, others);
      return warning === null || warning === rainWarning(other, keys) ? [] : [warning];
    });
  }
}
