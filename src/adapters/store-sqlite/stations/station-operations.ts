import type { Database } from 'better-sqlite3';
import type { StationChange } from '#application/ports/station-store.js';
import { judgingOf, type StationTransition } from '#application/stations/judging-of-changes.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import { type DomainErrorCode, isDomainError } from '#domain/domain-error.js';
import { edited, type SimilarStation, type StationEdit } from '#domain/weather/station-edit.js';
import type { Station } from '#domain/weather/station.js';
import { readStation, type StoredStation } from '#domain/weather/stations/stored-station.js';
import { fromJson } from '#adapters/store/columns.js';
import { appendEvents } from '#adapters/store/accounts/audit.js';
import { removeAlarmsOf } from '#adapters/store/alarms/alarms.js';
import { addRequests } from '#adapters/store/judging/judging-requests.js';
import { STATION_COLUMNS, STATION_FIELDS, toJson } from '#adapters/store/stations/station-columns.js';
import { removeUploadKeysOf } from '#adapters/store/uploads/upload-keys.js';
import { runOn } from '../database/statements.js';
import { allKeysOf } from '../observations/key-range.js';
import { expireStates } from '../observations/newest-table.js';
import { stationNames } from '../ledgers/station-names.js';

/** The outcome of edits. A refusal is sent between threads as plain fields. */
export type StationsOutcome =
  | { readonly changes: readonly StationChange[] }
  | { readonly refused: DomainErrorCode; readonly message: string };

const toStation = (row: StoredStation): Station => readStation(row, fromJson);

/** As the last parameters of the methods of `StationStore`. */
type Events = readonly AuditEvent[];

/** Milliseconds for which deleting the chunks of a station may delay other operations. */
const ERASE_SLICE = 50;

/** The reads of SqliteStationStore. They run in the reading threads and never wait for a write. */
export function stationReads(database: Database) {
  const byId = database.prepare<[string], StoredStation>(
    `SELECT ${STATION_FIELDS} FROM station WHERE id = ?`,
  );
  const all = database.prepare<[], StoredStation>(`SELECT ${STATION_FIELDS} FROM station ORDER BY id`);
  const names = stationNames(database);
  return {
    station: (id: string): Station | undefined => {
      const row = byId.get(id);
      return names.checked(id, row && toStation(row));
    },
    stations: (): Station[] => names.allChecked(all.all().map(toStation)),
  };
}

/**
 * The changes of SqliteStationStore. They run in the thread that owns the file.
 *
 * @param eraseSlice milliseconds, as `ERASE_SLICE`
 */
export function stationOperations(
  database: Database,
  mergeRuns: (station: number) => void,
  eraseSlice = ERASE_SLICE,
) {
  const { station } = stationReads(database);
  const insert = database.prepare(
    `INSERT INTO station
       (id, name, latitude, longitude, elevation, time_zone, identifiers, reporting_interval, limits,
        steps, persistence, sensor_heights, cell_methods, stamp_interval, visibility, position_decimals, earlier)
     VALUES (@id, @name, @latitude, @longitude, @elevation, @timeZone, @identifiers, @reportingInterval, @limits,
       @steps, @persistence, @sensorHeights, @cellMethods, @stampInterval, @visibility, @positionDecimals, @earlier)`,
  );
  const update = database.prepare(
    `UPDATE station SET name = @name, latitude = @latitude, longitude = @longitude, elevation = @elevation,
       time_zone = @timeZone, identifiers = @identifiers, reporting_interval = @reportingInterval, limits = @limits,
       steps = @steps, persistence = @persistence, sensor_heights = @sensorHeights, cell_methods = @cellMethods,
       stamp_interval = @stampInterval, visibility = @visibility, position_decimals = @positionDecimals, earlier = @earlier
     WHERE id = @id`,
  );
  const similar = database.prepare<{ id: string }, { id: string; removed: number }>(
    `SELECT id, 1 AS removed FROM removed_station WHERE lower(id) = lower(@id)
     UNION ALL SELECT id, 0 FROM station WHERE lower(id) = lower(@id) ORDER BY removed DESC, id LIMIT 1`,
  );
  const numberOf = database.prepare<[string], number>('SELECT number FROM any_station WHERE id = ?').pluck();
  const numberOfHidden = database
    .prepare<[string, number], number>('SELECT number FROM removed_station WHERE id = ? AND removed_at <= ?')
    .pluck();
  const toHidden = database.prepare(
    `INSERT INTO removed_station (${STATION_COLUMNS}, removed_at) SELECT ${STATION_COLUMNS}, ? FROM station WHERE id = ?`,
  );
  const fromHidden = database.prepare(
    `INSERT INTO station (${STATION_COLUMNS}) SELECT ${STATION_COLUMNS} FROM removed_station WHERE id = ?`,
  );
  const remove = database.prepare('DELETE FROM station WHERE id = ?');
  const removeHidden = database.prepare('DELETE FROM removed_station WHERE id = ?');
  const removeGrants = database.prepare('DELETE FROM station_grant WHERE station = ?');
  const removeChunk = database.prepare(
    'DELETE FROM chunk WHERE key = (SELECT min(key) FROM chunk WHERE key BETWEEN ? AND ?)',
  );
  const addErased = database.prepare('INSERT INTO erased_station (number) VALUES (?)');
  const isErased = database.prepare('SELECT 1 FROM erased_station WHERE number = ?');
  const removeErased = database.prepare('DELETE FROM erased_station WHERE number = ?');
  // A blob with rows of several stations stays until the last of them is removed.
  const removeFromDamaged = database.prepare<{ number: number }>(
    `UPDATE damaged SET stations =
       (SELECT json_group_array(value) FROM json_each(damaged.stations) WHERE value <> @number)
     WHERE @number IN (SELECT value FROM json_each(damaged.stations))`,
  );
  const removeDamaged = database.prepare("DELETE FROM damaged WHERE stations = '[]'");
  const removeDayTables = database.prepare('DELETE FROM day_table WHERE station = ?');
  const removeOwn = ['retention', 'removed_month', 'overrule', 'judging_request'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE station = ?`),
  );
  const removeNewest = database.prepare('DELETE FROM newest WHERE station = ?');
  const changed = database.prepare('UPDATE station_version SET version = version + 1');
  const judge = (transitions: readonly StationTransition[], around: number | undefined) => {
    if (around !== undefined) runOn(database, addRequests(judgingOf(transitions, around)));
  };

  const similarTo = (id: string): SimilarStation | undefined => {
    const found = similar.get({ id });
    return found && { id: found.id, removed: found.removed === 1 };
  };
  const changeAll = database.transaction(
    (edits: readonly StationEdit[], around: number | undefined, events: Events): StationChange[] => {
      changed.run();
      const changes = edits.map((edit) => {
        const known = station(edit.id);
        const made = known === undefined;
        const draft = edited(edit, known, made ? similarTo(edit.id) : undefined);
        // Not an upsert, because that would use up a number even if the station exists.
        (made ? insert : update).run({
          ...draft,
          identifiers: JSON.stringify(draft.identifiers),
          limits: JSON.stringify(draft.limits),
          steps: toJson(draft.steps),
          persistence: toJson(draft.persistence),
          sensorHeights: toJson(draft.sensorHeights),
          cellMethods: toJson(draft.cellMethods),
          stampInterval: draft.stampInterval ?? null,
          visibility: draft.visibility ?? null,
          positionDecimals: draft.positionDecimals ?? null,
          earlier: toJson(draft.earlier),
        });
        return { station: station(draft.id) as Station, made, ...(known && { before: known }) };
      });
      judge(
        changes.map(({ station: after, before }) => ({ before, after })),
        around,
      );
      runOn(database, appendEvents(events));
      return changes;
    },
  );
  const hide = database.transaction(
    (id: string, time: number, around: number | undefined, events: Events): boolean => {
      judge([{ before: station(id) }], around);
      if (toHidden.run(time, id).changes === 0) return false;
      remove.run(id);
      changed.run();
      runOn(database, appendEvents(events));
      return true;
    },
  );
  const restore = database.transaction((id: string, around: number | undefined, events: Events): boolean => {
    if (fromHidden.run(id).changes === 0) return false;
    removeHidden.run(id);
    judge([{ after: station(id) }], around);
    changed.run();
    runOn(database, appendEvents(events));
    return true;
  });
  const find = (id: string, hiddenUntil: number | undefined) =>
    hiddenUntil === undefined ? numberOf.get(id) : numberOfHidden.get(id, hiddenUntil);
  const removeAll = database.transaction(
    (id: string, hiddenUntil: number | undefined, around: number | undefined, events: Events): boolean => {
      // Checked again, because another process may have restored the station.
      const number = find(id, hiddenUntil);
      if (number === undefined) return false;
      judge([{ before: station(id) }], around);
      addErased.run(number);
      removeNewest.run(number);
      removeFromDamaged.run({ number });
      removeDamaged.run();
      removeGrants.run(number);
      runOn(database, removeUploadKeysOf(number));
      runOn(database, removeAlarmsOf(number));
      remove.run(id);
      removeHidden.run(id);
      expireStates(database);
      changed.run();
      runOn(database, appendEvents(events));
      return true;
    },
  );
  const eraseRows = database.transaction((number: number): boolean => {
    if (isErased.get(number) === undefined) return false;
    const until = performance.now() + eraseSlice;
    const [from, to] = allKeysOf(number);
    while (removeChunk.run(from, to).changes > 0) {
      if (performance.now() >= until) return true;
    }
    // Done again, because blobs may have been put aside while rows were deleted.
    removeFromDamaged.run({ number });
    removeDamaged.run();
    removeDayTables.run(number);
    for (const statement of removeOwn) statement.run(number);
    removeErased.run(number);
    return false;
  });
  return {
    changeStations: (
      edits: readonly StationEdit[],
      around?: number,
      events: Events = [],
    ): StationsOutcome => {
      try {
        return { changes: changeAll.immediate(edits, around, events) };
      } catch (error) {
        if (isDomainError(error)) return { refused: error.code, message: error.message };
        throw error;
      }
    },
    hideStation: (id: string, time: number, around?: number, events: Events = []): boolean =>
      hide.immediate(id, time, around, events),
    restoreStation: (id: string, around?: number, events: Events = []): boolean =>
      restore.immediate(id, around, events),
    eraseRows: (number: number): boolean => eraseRows.immediate(number),
    removeStation: (id: string, hiddenUntil?: number, around?: number, events: Events = []): boolean => {
      const number = find(id, hiddenUntil);
      if (number === undefined) return false;
      mergeRuns(number); // Afterwards all observations of the station are in chunks, which belong to it alone.
      return removeAll.immediate(id, hiddenUntil, around, events);
    },
  };
}
