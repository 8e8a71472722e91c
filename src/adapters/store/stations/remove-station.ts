import type { StationChangeOptions } from '#application/ports/station-store.js';
import {
  forecastRecordsOf,
  noticeRecordOf,
  sensorRecordsOf,
  sourceFlagRecordsOf,
} from '#application/record-forms.js';
import type { Station } from '#domain/weather/station.js';
import { removeAlarmsOf } from '../alarms/alarm-operations.js';
import { isStorable } from '../columns.js';
import { purgeRecords } from '../records.js';
import { type Operation, rowFrom, send } from '../run-operation.js';
import { sql } from '../sql.js';
import { removeUploadKeysOf } from '../uploads/upload-key-operations.js';
import { raiseVersion } from '../versions.js';
import { addRelated } from './station-operations.js';

/**
 * Returns the number of the station to be removed permanently; undefined if there is no such station.
 *
 * @param hiddenUntil if given, only a hidden station is returned, which was removed at this time or before and can still be
 *   restored. In milliseconds since 1970-01-01T00:00:00Z
 */
export function* numberToRemove(id: string, hiddenUntil: number | undefined): Operation<number | undefined> {
  if (!isStorable(id)) return undefined;
  const row = yield* rowFrom<{ number: number }>(
    hiddenUntil === undefined
      ? sql`SELECT number FROM weatherd.any_station WHERE id = ${id}`
      : sql`SELECT number FROM weatherd.removed_station WHERE id = ${id} AND removed_at <= ${hiddenUntil}`,
  );
  return row?.number;
}

/**
 * Removes a station permanently, within the transaction of the caller. The caller must have removed the state of the station
 * (newest values and totals) before.
 *
 * @param before the station; undefined if it is hidden, which means that it was removed earlier and could still be restored
 */
export function* removeStation(
  number: number,
  before: Station | undefined,
  options: StationChangeOptions,
): Operation<void> {
  yield* send(sql`INSERT INTO weatherd.erased_station (number) VALUES (${number})`);
  yield* send(sql`DELETE FROM weatherd.station WHERE number = ${number}`);
  yield* send(sql`DELETE FROM weatherd.removed_station WHERE number = ${number}`);
  yield* send(sql`DELETE FROM weatherd.station_grant WHERE station = ${number}`);
  yield* removeUploadKeysOf(number);
  yield* removeAlarmsOf(number);
  yield* raiseVersion('stations');
  yield* addRelated([{ before }], options);
}

/** Deletes the last records of a permanently removed station that has no rows left, within the transaction of the caller. */
export function* forgetStation(number: number): Operation<void> {
  yield* send(sql`DELETE FROM weatherd.retention WHERE station = ${number}`);
  yield* send(sql`DELETE FROM weatherd.removed_month WHERE station = ${number}`);
  yield* send(sql`DELETE FROM weatherd.overrule WHERE station = ${number}`);
  yield* send(sql`DELETE FROM weatherd.judging_request WHERE station = ${number}`);
  yield* send(sql`DELETE FROM weatherd.upload_record WHERE name = ${noticeRecordOf(number)}`);
  yield* purgeRecords(sourceFlagRecordsOf(number), Number.MAX_SAFE_INTEGER);
  yield* purgeRecords(sensorRecordsOf(number), Number.MAX_SAFE_INTEGER);
  for (const records of Object.values(forecastRecordsOf(number)))
    yield* purgeRecords(records, Number.MAX_SAFE_INTEGER);
  yield* send(sql`DELETE FROM weatherd.erased_station WHERE number = ${number}`);
}
