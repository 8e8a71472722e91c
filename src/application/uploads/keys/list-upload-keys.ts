import { unknownStation } from '../../stations/find-station.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import { type UploadKeyView, keyView } from './key-view.js';
import type { UploadKeyCache } from './upload-key-cache.js';

/** Lists the upload keys. */
export class ListUploadKeys {
  readonly #directory: StationDirectory;
  readonly #keys: UploadKeyCache;

  constructor(directory: StationDirectory, keys: UploadKeyCache) {
    this.#directory = directory;
    this.#keys = keys;
  }

  /**
   * @param station id of the station whose keys are listed; undefined means all stations
   * @returns the keys in rising order of their numbers
   * @throws DomainError STATION_UNKNOWN
   */
  async execute(station?: string): Promise<readonly UploadKeyView[]> {
    const { byNumber, byId } = await this.#directory.current();
    const only = station === undefined ? undefined : byId.get(station);
    if (station !== undefined && only === undefined) throw unknownStation(station);
    const keys = await this.#keys.list();
    return keys
      .filter((key) => only === undefined || key.station === only.number)
      .map((key) => keyView(key, byNumber, keys));
  }
}
