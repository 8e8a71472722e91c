import type { ImportLog } from '../../../application/ports/import-log.js';
import type { PostgresDatabase } from '../database/postgres-database.js';

/** The progress of imports in PostgreSQL. */
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
    return rows[0]?.line ?? 0;
  }

  async note(key: string, line: number): Promise<void> {
    await this.#database.query(
      'INSERT INTO weatherd.import (key, line) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET line = excluded.line',
      [key, line],
    );
  }

  async forget(key: string): Promise<void> {
    await this.#database.query('DELETE FROM weatherd.import WHERE key = $1', [key]);
  }
}
