import type { AuditStore } from '../../application/ports/audit-store.js';
import type { AuditEvent, RecordedEvent } from '../../domain/audit-event.js';
import type { PostgresDatabase } from './postgres-database.js';

/** The audit trail in PostgreSQL. */
export class PostgresAuditStore implements AuditStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async append({ time, action, outcome, actor, subject, address, requestId }: AuditEvent): Promise<number> {
    const { rows } = await this.#database.query<{ number: number }>(
      `INSERT INTO weatherd.audit (time, action, outcome, actor, subject, address, request_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING number`,
      [time, action, outcome, actor, subject, address, requestId],
    );
    return rows[0]?.number ?? 0;
  }

  async setCount(number: number, count: number): Promise<void> {
    await this.#database.query('UPDATE weatherd.audit SET count = $2 WHERE number = $1', [number, count]);
  }

  async list(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<readonly RecordedEvent[]> {
    const { rows } = await this.#database.query<RecordedEvent>(
      `SELECT number, time, action, outcome, actor, subject, address, request_id AS "requestId", count
       FROM weatherd.audit WHERE number < $1 ORDER BY number DESC LIMIT $2`,
      [before, limit],
    );
    return rows;
  }

  async purge(time: number): Promise<void> {
    await this.#database.query('DELETE FROM weatherd.audit WHERE time < $1', [time]);
  }
}
