import { uploadFieldsText } from '#domain/uploads/upload-key.js';
import { unknownStation } from '../../stations/find-station.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import { type UploadKeyView, keyView } from './key-view.js';
import { unknownKey, type UploadKeyCache } from './upload-key-cache.js';

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

  /**
   * Returns one key, and the text of its mappings and settings; see `uploadFieldsText`.
   *
   * @throws DomainError UPLOAD_KEY_UNKNOWN
   */
  async find(number: number): Promise<{ readonly key: UploadKeyView; readonly text: string }> {
    const { byNumber } = await this.#directory.current();
    const keys = await this.#keys.list();
    const found = keys.find((key) => key.number === number);
    if (found === undefined) throw unknownKey(number);
    return { key: keyView(found, byNumber, keys), text: uploadFieldsText(found) };
  }
}
