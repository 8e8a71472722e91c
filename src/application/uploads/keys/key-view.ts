import type { FieldMapping } from '#domain/uploads/field-mapping.js';
import { rainWarning } from '#domain/uploads/rain-sender.js';
import type { UploadKey } from '#domain/uploads/upload-key.js';
import type { Station } from '#domain/weather/station.js';

/**
 * A mapping as it is shown to people: a field of a sender, and the variable that gets its values. Stations are named by their
 * ids.
 */
export type MappingView = Omit<FieldMapping, 'station'> & {
  /** The id of the station; null while the station is removed. Absent if the values go to the station of the key. */
  readonly station?: string | null;
};

/** An upload key as it is shown to people: with ids of stations and without the secret. */
export interface UploadKeyView extends Omit<UploadKey, 'station' | 'mappings'> {
  /** The id of the station; null while the station is removed. */
  readonly station: string | null;
  readonly mappings: readonly MappingView[];
  /** A warning about the rain of the station; null if this key is the only one that stores it. See `rainWarning`. */
  readonly rainWarning: string | null;
}

/** A key with its new secret. */
export interface IssuedUploadKey {
  readonly key: UploadKeyView;
  /** 26 characters. It is not stored and cannot be shown again. */
  readonly secret: string;
}

/**
 * @param byNumber the stations that are not removed
 * @param keys all keys; `key` may be missing or outdated in this list
 */
export function keyView(
  key: UploadKey,
  byNumber: ReadonlyMap<number, Pick<Station, 'id'>>,
  keys: readonly UploadKey[],
): UploadKeyView {
  const { number, station, note, weak, madeAt, rotatedAt, previousUntil, settings } = key;
  const idOf = (of: number) => byNumber.get(of)?.id ?? null;
  const mappings = key.mappings.map(({ station: target, ...mapping }): MappingView => {
    return target === undefined ? mapping : { ...mapping, station: idOf(target) };
  });
  return {
    number,
    station: idOf(station),
    note,
    weak,
    madeAt,
    rotatedAt,
    previousUntil,
    mappings,
    settings,
    rainWarning: rainWarning(key, keys),
  };
}
