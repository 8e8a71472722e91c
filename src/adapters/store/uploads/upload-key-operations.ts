import type { UploadKeyStore } from '#application/ports/upload-key-store.js';
import { type StoredUploadKey, uploadFieldsText } from '#domain/uploads/upload-key.js';
import { fromJson, isTrue } from '../columns.js';
import { type Operation, rowFrom, rowsFrom, send } from '../run-operation.js';
import { bigint, boolean, both, integer, jsonValue, sql, text } from '../sql.js';
import { type OperationsOf, read, transaction } from '../store-operations.js';
import { raiseVersion, versionOf } from '../versions.js';

const COLUMNS =
  both(`number, station, note, weak, made_at AS "madeAt", rotated_at AS "rotatedAt", previous_until AS "previousUntil",
  digest, previous_digest AS "previousDigest", mappings, settings`);

const toKey = (row: StoredUploadKey): StoredUploadKey => ({
  ...row,
  weak: isTrue(row.weak),
  mappings: fromJson(row.mappings) as StoredUploadKey['mappings'],
  settings: fromJson(row.settings) as StoredUploadKey['settings'],
});

export const UPLOAD_KEYS: OperationsOf<UploadKeyStore> = {
  version: read(() => versionOf('uploadKeys')),

  keys: read(function* () {
    const rows = yield* rowsFrom<StoredUploadKey>(
      sql`SELECT ${COLUMNS} FROM weatherd.upload_key ORDER BY number`,
    );
    return rows.map(toKey);
  }),

  add: transaction(function* (key) {
    yield* raiseVersion('uploadKeys');
    const added = yield* rowFrom<{ number: number }>(
      sql`INSERT INTO weatherd.upload_key (station, note, weak, made_at, rotated_at, previous_until, digest,
            previous_digest, mappings, settings)
          SELECT ${integer(key.station)}, ${text(key.note)}, ${boolean(key.weak)}, ${bigint(key.madeAt)},
            ${bigint(key.rotatedAt)}, ${bigint(key.previousUntil)}, ${text(key.digest)}, ${text(key.previousDigest)},
            ${jsonValue(key.mappings)}, ${jsonValue(key.settings)}
          WHERE EXISTS (SELECT 1 FROM weatherd.any_station WHERE number = ${key.station})
          ON CONFLICT (digest) DO NOTHING RETURNING number`,
    );
    return added?.number;
  }),

  change: transaction(function* (number, changes, expected) {
    yield* raiseVersion('uploadKeys');
    const row = yield* rowFrom<StoredUploadKey>(
      sql`SELECT ${COLUMNS} FROM weatherd.upload_key WHERE number = ${number}`,
    );
    if (row === undefined) return false;
    const stored = toKey(row);
    if (expected !== undefined && uploadFieldsText(stored) !== expected) return false;
    const key = { ...stored, ...changes };
    yield* send(
      sql`UPDATE weatherd.upload_key SET note = ${key.note}, weak = ${key.weak}, rotated_at = ${key.rotatedAt},
            previous_until = ${key.previousUntil}, digest = ${key.digest}, previous_digest = ${key.previousDigest},
            mappings = ${jsonValue(key.mappings)}, settings = ${jsonValue(key.settings)}
          WHERE number = ${number}`,
    );
    return true;
  }),

  remove: transaction(function* (number) {
    yield* raiseVersion('uploadKeys');
    return (yield* send(sql`DELETE FROM weatherd.upload_key WHERE number = ${number}`)) > 0;
  }),
};

/** Removes the keys of an erased station, within the transaction of the caller. */
export function* removeUploadKeysOf(station: number): Operation<void> {
  yield* raiseVersion('uploadKeys');
  yield* send(sql`DELETE FROM weatherd.upload_key WHERE station = ${station}`);
}
