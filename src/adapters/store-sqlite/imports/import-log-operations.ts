import type { Database } from 'better-sqlite3';
import type { ImportRecord, ImportRetention } from '#application/ports/import-log.js';
import { NO_UNDO, type UndoCounts } from '#domain/weather/undo/undo-counts.js';

/** Number of journal entries that one call deletes. An entry may have hundreds of kilobytes. */
const DELETED_AT_ONCE = 100;

/** The line of an import that was undone, so that it cannot note progress if it still runs. */
const UNDONE = -1;

interface ImportRow {
  readonly number: number;
  readonly file: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly rows: number;
  readonly bytes: number;
  readonly forgotten: number;
  readonly undoStartedAt: number | null;
  readonly undoEndedAt: number | null;
  readonly undoCounts: string | null;
}

const COLUMNS = `number, file, started_at AS startedAt, ended_at AS endedAt, rows, bytes, forgotten,
  undo_started_at AS undoStartedAt, undo_ended_at AS undoEndedAt, undo_counts AS undoCounts`;

/** The statements behind SqliteImportLog; they run in the worker thread. */
export function importLogOperations(database: Database) {
  const line = database.prepare<[string], number>('SELECT line FROM import WHERE key = ?').pluck();
  const putLine = database.prepare(
    `INSERT INTO import (key, line) VALUES (?, ?)
     ON CONFLICT (key) DO UPDATE SET line = excluded.line WHERE line <> ${UNDONE}`,
  );
  const removeLine = database.prepare('DELETE FROM import WHERE key = ?');
  const open = database.prepare<[string], number>('SELECT number FROM file_import WHERE key = ?').pluck();
  const insert = database.prepare('INSERT INTO file_import (key, file, started_at) VALUES (?, ?, ?)');
  const end = database.prepare('UPDATE file_import SET ended_at = ?, key = NULL WHERE number = ?');
  const find = database.prepare<[number], ImportRow>(`SELECT ${COLUMNS} FROM file_import WHERE number = ?`);
  const list = database.prepare<[number], ImportRow>(
    `SELECT ${COLUMNS} FROM file_import ORDER BY number DESC LIMIT ?`,
  );
  const stations = database
    .prepare<[number], number>('SELECT station FROM import_station WHERE import = ? ORDER BY station')
    .pluck();
  const stopProgress = database.prepare(
    `INSERT INTO import (key, line) SELECT key, ${UNDONE} FROM file_import WHERE number = ? AND key IS NOT NULL
     ON CONFLICT (key) DO UPDATE SET line = ${UNDONE}`,
  );
  const allowProgress = database.prepare(`DELETE FROM import WHERE key = ? AND line = ${UNDONE}`);
  const beginUndo = database.prepare(
    'UPDATE file_import SET undo_started_at = coalesce(undo_started_at, ?), key = NULL WHERE number = ?',
  );
  const endUndo = database.prepare('UPDATE file_import SET undo_ended_at = ? WHERE number = ?');
  const forget = database.prepare(
    `UPDATE file_import SET forgotten = 1, bytes = 0, key = NULL WHERE number IN (
       SELECT number FROM (
         SELECT number, started_at, sum(bytes) OVER (ORDER BY number DESC) - bytes AS newer
         FROM file_import WHERE bytes > 0)
       WHERE started_at < @since OR newer >= @bytes)`,
  );
  const deleteEntries = database.prepare(
    `DELETE FROM import_journal WHERE id IN (
       SELECT id FROM import_journal WHERE import IN (SELECT number FROM file_import WHERE forgotten = 1)
       LIMIT ${DELETED_AT_ONCE})`,
  );
  const deleteRecords = database.prepare(
    `DELETE FROM file_import WHERE bytes = 0 AND number NOT IN (SELECT import FROM import_journal)
       AND number NOT IN (SELECT number FROM file_import ORDER BY number DESC LIMIT ?)`,
  );
  const toRecord = (row: ImportRow): ImportRecord => {
    const { forgotten, undoStartedAt, undoEndedAt, undoCounts, ...record } = row;
    const counts = undoCounts === null ? NO_UNDO : (JSON.parse(undoCounts) as UndoCounts);
    return {
      ...record,
      stations: stations.all(record.number),
      isForgotten: forgotten === 1,
      undo: undoStartedAt === null ? null : { startedAt: undoStartedAt, endedAt: undoEndedAt, counts },
    };
  };
  return {
    importedLine: (key: string): number => Math.max(0, line.get(key) ?? 0),
    noteImport: (key: string, at: number) => void putLine.run(key, at),
    forgetImport: (key: string) => void removeLine.run(key),
    beginImport: (key: string | undefined, file: string, time: number): number =>
      database
        .transaction(() => {
          const known = key === undefined ? undefined : open.get(key);
          if (key !== undefined) allowProgress.run(key);
          return known ?? Number(insert.run(key ?? null, file, time).lastInsertRowid);
        })
        .immediate(),
    endImport: (number: number, time: number) => void end.run(time, number),
    findImport: (number: number): ImportRecord | undefined => {
      const row = find.get(number);
      return row && toRecord(row);
    },
    listImports: (limit: number): ImportRecord[] => list.all(limit).map(toRecord),
    beginImportUndo: (number: number, time: number) =>
      database
        .transaction(() => {
          stopProgress.run(number);
          beginUndo.run(time, number);
        })
        .immediate(),
    endImportUndo: (number: number, time: number) => void endUndo.run(time, number),
    /** @returns whether it must be called again */
    pruneImports: ({ since, bytes, records }: ImportRetention): boolean => {
      forget.run({ since, bytes });
      if (deleteEntries.run().changes === DELETED_AT_ONCE) return true;
      deleteRecords.run(records);
      return false;
    },
  };
}
