import type { ImportLog, ImportRecord, ImportRetention } from '#application/ports/import-log.js';
import { NO_UNDO, type UndoCounts } from '#domain/weather/undo/undo-counts.js';
import type { PostgresDatabase } from '../database/postgres-database.js';

/** The line of an import that was undone, so that it cannot note progress if it still runs. */
const UNDONE = -1;

interface ImportRow extends Omit<ImportRecord, 'undo'> {
  readonly undoStartedAt: number | null;
  readonly undoEndedAt: number | null;
  readonly undoCounts: UndoCounts | null;
}

const SELECT = `SELECT number, file, started_at AS "startedAt", ended_at AS "endedAt", rows, bytes,
    forgotten AS "isForgotten", undo_started_at AS "undoStartedAt", undo_ended_at AS "undoEndedAt",
    undo_counts AS "undoCounts",
    ARRAY(SELECT station FROM weatherd.import_station WHERE import = number ORDER BY station) AS stations
  FROM weatherd.file_import`;

/** The imports of files in PostgreSQL. */
export class PostgresImportLog implements ImportLog {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async lastLine(key: string): Promise<number> {
    const { rows } = await this.#database.query<{ line: number }>(
      'SELECT line FROM weatherd.import WHERE key = $1',
      [key],
    );
    return Math.max(0, rows[0]?.line ?? 0);
  }

  async note(key: string, line: number): Promise<void> {
    await this.#database.query(
      `INSERT INTO weatherd.import AS known (key, line) VALUES ($1, $2)
       ON CONFLICT (key) DO UPDATE SET line = excluded.line WHERE known.line <> ${UNDONE}`,
      [key, line],
    );
  }

  async forget(key: string): Promise<void> {
    await this.#database.query('DELETE FROM weatherd.import WHERE key = $1', [key]);
  }

  async begin(key: string | undefined, file: string, time: number): Promise<number> {
    // PostgreSQL cannot store this character in a text, and a file name cannot contain it either.
    const name = file.replaceAll('\u0000', '');
    if (key !== undefined)
      await this.#database.query(`DELETE FROM weatherd.import WHERE key = $1 AND line = ${UNDONE}`, [key]);
    const { rows } = await this.#database.query<{ number: number }>(
      `INSERT INTO weatherd.file_import AS known (key, file, started_at) VALUES ($1, $2, $3)
       ON CONFLICT (key) DO UPDATE SET file = known.file RETURNING number`,
      [key ?? null, name, time],
    );
    return rows[0]?.number as number;
  }

  async end(number: number, time: number): Promise<void> {
    await this.#database.query(
      'UPDATE weatherd.file_import SET ended_at = $2, key = NULL WHERE number = $1',
      [number, time],
    );
  }

  async find(number: number): Promise<ImportRecord | undefined> {
    const { rows } = await this.#database.query<ImportRow>(`${SELECT} WHERE number = $1::bigint`, [number]);
    return rows[0] && toRecord(rows[0]);
  }

  async list(limit: number): Promise<readonly ImportRecord[]> {
    const { rows } = await this.#database.query<ImportRow>(`${SELECT} ORDER BY number DESC LIMIT $1`, [
      limit,
    ]);
    return rows.map(toRecord);
  }

  async beginUndo(number: number, time: number): Promise<void> {
    await this.#database.transaction(async (query) => {
      // Locked first, so that a write of the import ends before, or finds that it is no longer open.
      const { rows } = await query<{ key: string | null }>(
        'SELECT key FROM weatherd.file_import WHERE number = $1::bigint FOR UPDATE',
        [number],
      );
      const key = rows[0]?.key ?? null;
      if (key !== null)
        await query(
          `INSERT INTO weatherd.import (key, line) VALUES ($1, ${UNDONE})
           ON CONFLICT (key) DO UPDATE SET line = excluded.line`,
          [key],
        );
      await query(
        `UPDATE weatherd.file_import SET undo_started_at = coalesce(undo_started_at, $2), key = NULL
         WHERE number = $1::bigint`,
        [number, time],
      );
    });
  }

  async endUndo(number: number, time: number): Promise<void> {
    await this.#database.query('UPDATE weatherd.file_import SET undo_ended_at = $2 WHERE number = $1', [
      number,
      time,
    ]);
  }

  async prune({ since, bytes, records }: ImportRetention): Promise<void> {
    await this.#database.query(
      `UPDATE weatherd.file_import SET forgotten = true, bytes = 0, key = NULL WHERE number IN (
         SELECT number FROM (
           SELECT number, started_at, sum(bytes) OVER (ORDER BY number DESC) - bytes AS newer
           FROM weatherd.file_import WHERE bytes > 0) AS kept
         WHERE started_at < $1 OR newer >= $2)`,
      [since, bytes],
    );
    await this.#database.query(
      `DELETE FROM weatherd.import_journal
       WHERE import IN (SELECT number FROM weatherd.file_import WHERE forgotten)`,
    );
    await this.#database.query(
      `DELETE FROM weatherd.file_import WHERE bytes = 0
         AND number NOT IN (SELECT import FROM weatherd.import_journal)
         AND number NOT IN (SELECT number FROM weatherd.file_import ORDER BY number DESC LIMIT $1)`,
      [records],
    );
  }
}

function toRecord({ undoStartedAt, undoEndedAt, undoCounts, ...record }: ImportRow): ImportRecord {
  const counts = undoCounts ?? NO_UNDO;
  const undo = undoStartedAt === null ? null : { startedAt: undoStartedAt, endedAt: undoEndedAt, counts };
  return { ...record, undo };
}
