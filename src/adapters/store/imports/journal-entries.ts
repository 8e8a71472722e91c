import { closedImport, type UndoCounts, UndoTotal } from '#domain/weather/undo/undo-counts.js';
import { encodeJournal, type JournalPart } from '#adapters/formats/packed/journal-codec.js';
import { stationOf } from '#adapters/packed-store/days/daily-series.js';
import { fromJson, isTrue } from '../columns.js';
import { type Operation, rowFrom, send } from '../run-operation.js';
import { bigint, integer, jsonValue, sql, sqlValues } from '../sql.js';
import { addImportStations, LOCKED } from './import-log-operations.js';

const IMPORTS = sqlValues('number', 'integer');

/**
 * Adds the changes of one commit to the journal of an import, from which the import can be undone.
 *
 * @throws DomainError REQUEST_INVALID if the import has ended or its undo has begun
 */
export function* addToJournal(number: number, parts: readonly JournalPart[]): Operation<void> {
  const rows = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  const data = encodeJournal(number, parts);
  const noted = yield* rowFrom<{ forgotten: unknown }>(
    sql`UPDATE weatherd.file_import
        SET rows = rows + ${rows}, bytes = bytes + CASE WHEN forgotten THEN 0 ELSE ${integer(data.length)} END
        WHERE number = ${bigint(number)} AND ended_at IS NULL AND undo_started_at IS NULL RETURNING forgotten`,
  );
  if (noted === undefined) throw closedImport();
  yield* addImportStations(number, [...new Set(parts.map(({ station }) => stationOf(station)))]);
  if (isTrue(noted.forgotten)) return;
  yield* send(
    sql`INSERT INTO weatherd.import_journal (import, rows, data) VALUES (${number}, ${rows}, ${data})`,
  );
}

/** The changes of one commit of an import. */
export interface JournalEntry {
  readonly id: number;
  readonly rows: number;
  readonly data: Buffer;
  /** Whether the journal has older entries. */
  readonly hasOlder: boolean;
}

/**
 * Locks an import for a step of its undo. An undo consists of several steps.
 *
 * @returns the numbers of rows and values that the finished steps have reverted or could not revert
 */
export function* lockForUndo(number: number): Operation<UndoTotal> {
  const row = yield* rowFrom<{ counts: unknown }>(
    sql`SELECT undo_counts AS counts FROM weatherd.file_import WHERE number = ${bigint(number)} ${LOCKED}`,
  );
  return new UndoTotal((fromJson(row?.counts) ?? undefined) as UndoCounts | undefined);
}

/** The newest entry of the journal of an import. */
export function* newestEntry(number: number): Operation<JournalEntry | undefined> {
  const row = yield* rowFrom<JournalEntry>(
    sql`SELECT id, rows, data, EXISTS (
          SELECT 1 FROM weatherd.import_journal AS older WHERE older.import = newest.import AND older.id < newest.id
        ) AS "hasOlder"
        FROM weatherd.import_journal AS newest WHERE import = ${bigint(number)} ORDER BY id DESC LIMIT 1`,
  );
  return row && { ...row, hasOlder: isTrue(row.hasOlder) };
}

/**
 * Removes a journal entry (the changes of one commit of an import) after these changes were undone.
 *
 * @param counts the numbers of rows and values that the whole undo has reverted or could not revert until now. They are stored
 */
export function* removeEntry(
  number: number,
  { id, data }: JournalEntry,
  counts: UndoCounts,
): Operation<void> {
  yield* send(sql`DELETE FROM weatherd.import_journal WHERE id = ${id}`);
  yield* send(
    sql`UPDATE weatherd.file_import SET bytes = bytes - ${data.length}, undo_counts = ${jsonValue(counts)}
        WHERE number = ${bigint(number)}`,
  );
}

/**
 * Deletes the journals of imports. A journal has the changes that an import has made, so without it the import can no longer be
 * undone.
 */
export function* forgetImports(numbers: readonly number[]): Operation<void> {
  if (numbers.length === 0) return;
  yield* send(
    sql`UPDATE weatherd.file_import SET forgotten = TRUE, bytes = 0, key = NULL
        WHERE number IN (SELECT number FROM ${IMPORTS(numbers)})`,
  );
  yield* send(
    sql`DELETE FROM weatherd.import_journal WHERE import IN (SELECT number FROM ${IMPORTS(numbers)})`,
  );
}
