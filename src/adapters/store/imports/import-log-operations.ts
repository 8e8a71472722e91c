import type { ImportLog, ImportRecord } from '#application/ports/import-log.js';
import { NO_UNDO, type UndoCounts } from '#domain/weather/undo/undo-counts.js';
import { fromJson, isTrue } from '../columns.js';
import { type Operation, rowFrom, rowsFrom, send } from '../run-operation.js';
import { bigint, type Fragment, integer, sql, sqlValues } from '../sql.js';
import { type OperationsOf, present, transaction, write } from '../store-operations.js';

/**
 * Maximum number of journal entries that one call deletes. A journal entry has the changes of one commit of an import, and can be
 * hundreds of kilobytes long.
 */
const DELETED_AT_ONCE = 100;

/**
 * Stored instead of the number of the last imported line, after an import was undone. If the import is still running, it can then
 * no longer store its progress.
 */
const UNDONE = -1;

interface ImportRow extends Omit<ImportRecord, 'undo'> {
  readonly undoStartedAt: number | null;
  readonly undoEndedAt: number | null;
  readonly undoCounts: unknown;
}

const columns = `number, file, started_at AS "startedAt", ended_at AS "endedAt", rows, bytes, forgotten AS "isForgotten",
  undo_started_at AS "undoStartedAt", undo_ended_at AS "undoEndedAt", undo_counts AS "undoCounts"`;
const COLUMNS: Fragment = {
  sqlite: `${columns}, (SELECT json_group_array(station) FROM
    (SELECT station FROM import_station WHERE import = number ORDER BY station)) AS stations`,
  postgres: `${columns},
    ARRAY(SELECT station FROM weatherd.import_station WHERE import = number ORDER BY station) AS stations`,
};
/**
 * Locks the row of an import until the transaction ends. Another transaction that writes rows of this import commits before the
 * lock, or waits until this transaction has ended. If this transaction begins the undo of the import, the waiting write then
 * fails, because the import is no longer open. SQLite needs no lock, because it has one writer at a time.
 */
export const LOCKED: Fragment = { sqlite: '', postgres: 'FOR UPDATE' };

const STATIONS = sqlValues('station', 'integer');

/** Implements `ImportLog.addStations`. */
export function* addImportStations(number: number, stations: readonly number[]): Operation<void> {
  yield* send(
    sql`INSERT INTO weatherd.import_station (import, station)
        SELECT ${integer(number)}, station FROM ${STATIONS(stations)} WHERE TRUE ON CONFLICT DO NOTHING`,
  );
}

function toRecord({ undoStartedAt, undoEndedAt, undoCounts, ...row }: ImportRow): ImportRecord {
  const counts = (fromJson(undoCounts) ?? NO_UNDO) as UndoCounts;
  return {
    ...row,
    stations: fromJson(row.stations) as ImportRecord['stations'],
    isForgotten: isTrue(row.isForgotten),
    undo: undoStartedAt === null ? null : { startedAt: undoStartedAt, endedAt: undoEndedAt, counts },
  };
}

export const IMPORT_LOG: OperationsOf<ImportLog> = {
  lastLine: present(function* (key) {
    const row = yield* rowFrom<{ line: number }>(sql`SELECT line FROM weatherd.import WHERE key = ${key}`);
    return Math.max(0, row?.line ?? 0);
  }),

  note: write(function* (key, line) {
    yield* send(
      sql`INSERT INTO weatherd.import (key, line) VALUES (${key}, ${line})
          ON CONFLICT (key) DO UPDATE SET line = excluded.line WHERE import.line <> ${UNDONE}`,
    );
  }),

  forget: write(function* (key) {
    yield* send(sql`DELETE FROM weatherd.import WHERE key = ${key}`);
  }),

  begin: transaction(function* (key, file, time) {
    // The import is searched first, and inserted only if it does not exist. An upsert would use up a number each time, even if
    // the import exists.
    const known =
      key === undefined
        ? undefined
        : yield* rowFrom<{ number: number }>(
            sql`SELECT number FROM weatherd.file_import WHERE key = ${key} ${LOCKED}`,
          );
    // The character U+0000 is removed, because PostgreSQL cannot store it in a text. A real file name cannot contain it.
    const name = file.replaceAll('\u0000', '');
    const begun =
      known ??
      (yield* rowFrom<{ number: number }>(
        sql`INSERT INTO weatherd.file_import (key, file, started_at) VALUES (${key ?? null}, ${name}, ${time})
            ON CONFLICT (key) DO UPDATE SET file = file_import.file RETURNING number`,
      ));
    if (key !== undefined)
      yield* send(sql`DELETE FROM weatherd.import WHERE key = ${key} AND line = ${UNDONE}`);
    return begun?.number as number;
  }),

  addStations: write(addImportStations),

  end: write(function* (number, time) {
    yield* send(
      sql`UPDATE weatherd.file_import SET ended_at = ${time}, key = NULL WHERE number = ${bigint(number)}`,
    );
  }),

  find: present(function* (number) {
    const row = yield* rowFrom<ImportRow>(
      sql`SELECT ${COLUMNS} FROM weatherd.file_import WHERE number = ${bigint(number)}`,
    );
    return row && toRecord(row);
  }),

  list: present(function* (limit) {
    const rows = yield* rowsFrom<ImportRow>(
      sql`SELECT ${COLUMNS} FROM weatherd.file_import ORDER BY number DESC LIMIT ${limit}`,
    );
    return rows.map(toRecord);
  }),

  beginUndo: transaction(function* (number, time) {
    const found = yield* rowFrom<{ key: string | null }>(
      sql`SELECT key FROM weatherd.file_import WHERE number = ${bigint(number)} ${LOCKED}`,
    );
    const key = found?.key ?? null;
    if (key !== null)
      yield* send(
        sql`INSERT INTO weatherd.import (key, line) VALUES (${key}, ${UNDONE})
            ON CONFLICT (key) DO UPDATE SET line = excluded.line`,
      );
    yield* send(
      sql`UPDATE weatherd.file_import SET undo_started_at = coalesce(undo_started_at, ${bigint(time)}), key = NULL
          WHERE number = ${bigint(number)}`,
    );
  }),

  endUndo: write(function* (number, time) {
    yield* send(
      sql`UPDATE weatherd.file_import SET undo_ended_at = ${time} WHERE number = ${bigint(number)}`,
    );
  }),

  prune: transaction(function* ({ since, bytes, records }) {
    yield* send(
      sql`UPDATE weatherd.file_import SET forgotten = TRUE, bytes = 0, key = NULL WHERE number IN (
            SELECT number FROM (
              SELECT number, started_at, sum(bytes) OVER (ORDER BY number DESC) - bytes AS newer
              FROM weatherd.file_import WHERE bytes > 0) AS kept
            WHERE started_at < ${since} OR newer >= ${bytes})`,
    );
    const deleted = yield* send(
      sql`DELETE FROM weatherd.import_journal WHERE id IN (
            SELECT id FROM weatherd.import_journal
            WHERE import IN (SELECT number FROM weatherd.file_import WHERE forgotten) LIMIT ${DELETED_AT_ONCE})`,
    );
    if (deleted === DELETED_AT_ONCE) return true;
    yield* send(
      sql`DELETE FROM weatherd.file_import WHERE bytes = 0
            AND number NOT IN (SELECT import FROM weatherd.import_journal)
            AND number NOT IN (SELECT number FROM weatherd.file_import ORDER BY number DESC LIMIT ${records})`,
    );
    return false;
  }),
};
