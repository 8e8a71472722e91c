import type { Caller } from '#domain/accounts/audit-event.js';
import { acceptMappings, type FieldMapping } from '#domain/uploads/field-mapping.js';
import { acceptSettings, type UploadSettings } from '#domain/uploads/upload-key.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import { unknownStation } from '../../stations/find-station.js';
import type { Directory, StationDirectory } from '../../stations/station-directory.js';
import { type UploadKeyView, keyView } from './key-view.js';
import { unknownKey, type UploadKeyCache } from './upload-key-cache.js';

export interface UploadFieldsInput {
  readonly number: number;
  /** The new mappings, which replace all mappings of the key; undefined means that the mappings stay. */
  readonly mappings?: readonly FieldMapping[];
  /** The settings that change. */
  readonly settings?: Partial<UploadSettings>;
}

/** Maps fields in the uploads of a key to variables of its station, or of another station. Stored rows do not change. */
export class MapUploadFields {
  readonly #directory: StationDirectory;
  readonly #keys: UploadKeyCache;
  readonly #audit: AuditTrail;

  constructor(directory: StationDirectory, keys: UploadKeyCache, audit: AuditTrail) {
    this.#directory = directory;
    this.#keys = keys;
    this.#audit = audit;
  }

  /**
   * @param expected text of the mappings and settings that are replaced (see `uploadFieldsText`); undefined for any
   * @throws DomainError UPLOAD_KEY_UNKNOWN, STATION_UNKNOWN; REQUEST_INVALID with the broken rule; PRECONDITION_FAILED if the key
   *   is not as expected
   */
  async execute(
    { number, mappings, settings = {} }: UploadFieldsInput,
    caller: Caller,
    expected?: string,
  ): Promise<UploadKeyView> {
    if (mappings !== undefined) acceptMappings(mappings);
    const keys = await this.#keys.list();
    const key = keys.find((known) => known.number === number);
    if (key === undefined) throw unknownKey(number);
    const directory = await this.#directory.current();
    const changes = {
      settings: acceptSettings(settings, key.settings),
      mappings: mappings?.map((mapping) => numbered(mapping, directory, key.station)) ?? key.mappings,
    };
    acceptMappings(changes.mappings);
    await this.#keys.change(number, changes, expected);
    const view = keyView({ ...key, ...changes }, directory.byNumber, keys);
    await this.#audit.record(caller, 'upload-key-map', String(number), 'done', {
      ...(view.station !== null && { station: view.station }),
      ...(changes.settings.rain !== key.settings.rain && { rain: changes.settings.rain }),
      mappings: view.mappings.map(({ station, ...mapping }) => {
        return station === undefined || station === null ? mapping : { ...mapping, station };
      }),
    });
    return view;
  }
}

/**
 * Returns the mapping with the number of its station in place of the id. If the station of the mapping is the station `own` of
 * the key, the mapping has no number.
 */
function numbered(
  { station: id, ...mapping }: FieldMapping,
  { byId }: Directory,
  own: number,
): FieldMapping<number> {
  if (id === undefined) return mapping;
  const station = byId.get(id);
  if (station === undefined) throw unknownStation(id);
  return station.number === own ? mapping : { ...mapping, station: station.number };
}
