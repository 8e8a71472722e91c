import { rainWarning } from '#domain/uploads/rain-sender.js';
import type { UploadStatus } from '#domain/uploads/upload-status.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { UploadKeyCache } from '../keys/upload-key-cache.js';
import type { UploadStatuses } from './upload-statuses.js';

export interface UploadStatusView {
  /** The number of the key, see `UploadKey.number`. */
  readonly key: number;
  /** The id of the station; null while the station is removed. */
  readonly station: string | null;
  readonly note: string;
  readonly weak: boolean;
  /** A warning about the rain of the station; null if this key is the only one that stores it. See `rainWarning`. */
  readonly rainWarning: string | null;
  readonly status: UploadStatus;
}

/** Reports the last use and the problems of each upload key. */
export class ListUploadStatus {
  readonly #directory: StationDirectory;
  readonly #keys: UploadKeyCache;
  readonly #statuses: UploadStatuses;

  constructor(directory: StationDirectory, keys: UploadKeyCache, statuses: UploadStatuses) {
    this.#directory = directory;
    this.#keys = keys;
    this.#statuses = statuses;
  }

  /**
   * @param key number of the key that is listed; undefined means all keys
   * @returns the statuses in rising order of the key numbers. Recent uploads of other processes may be missing; see `UploadStatuses`
   */
  async execute(key?: number): Promise<readonly UploadStatusView[]> {
    const keys = await this.#keys.list();
    const { byNumber } = await this.#directory.current();
    const chosen = keys.filter(({ number }) => key === undefined || key === number);
    const statuses = await this.#statuses.list(chosen.map(({ number }) => number));
    return chosen.map((one, index) => ({
      key: one.number,
      station: byNumber.get(one.station)?.id ?? null,
      note: one.note,
      weak: one.weak,
      rainWarning: rainWarning(one, keys),
      status: statuses[index] as UploadStatus,
    }));
  }
}
