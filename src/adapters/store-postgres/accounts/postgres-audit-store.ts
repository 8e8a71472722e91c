import type { AuditStore, TalliedEvent } from '../../../application/ports/audit-store.js';
import type { AuditEvent, RecordedEvent } from '../../../domain/accounts/audit-event.js';
import type { PostgresDatabase } from '../database/postgres-database.js';

/** The audit trail in PostgreSQL. */
export class PostgresAuditStore implements AuditStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async append(event: AuditEvent): Promise<number> {
    const { time, action, outcome, actor, subject, address, requestId, detail } = event;
    const { rows } = await this.#database.query<{ number: number }>(
      `INSERT INTO weatherd.audit (time, action, outcome, actor, subject, address, request_id, detail)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING number`,
      [time, action, outcome, actor, subject, address, requestId, detail && JSON.stringify(detail)],
    );
    return rows[0]?.number ?? 0;
  }

  async tally(events: readonly TalliedEvent[]): Promise<void> {
    // Sorted by key, so that instances lock the rows in the same order and cannot deadlock.
    const sorted = [...events].sort((a, b) => (a.key < b.key ? -1 : 1));
    await this.#insert(
      sorted.map(({ event }) => event),
      sorted.map(({ key }) => key),
    );
  }

  async appendAll(events: readonly AuditEvent[]): Promise<void> {
    await this.#insert(
      events,
      events.map(() => null),
    );
  }

  async #insert(events: readonly AuditEvent[], keys: (string | null)[]): Promise<void> {
    const column = <T>(of: (event: AuditEvent) => T): T[] => events.map((event) => of(event));
    await this.#database.query(
      `INSERT INTO weatherd.audit AS kept
         (time, action, outcome, actor, subject, address, request_id, detail, tally)
       SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
         $8::jsonb[], $9::text[])
       ON CONFLICT (tally) WHERE tally IS NOT NULL DO UPDATE SET detail = jsonb_build_object(
         'from', least((kept.detail ->> 'from')::bigint, (excluded.detail ->> 'from')::bigint),
         'to', greatest((kept.detail ->> 'to')::bigint, (excluded.detail ->> 'to')::bigint),
         'rows', (kept.detail ->> 'rows')::bigint + (excluded.detail ->> 'rows')::bigint)`,
      [
        column(({ time }) => time),
        column(({ action }) => action),
        column(({ outcome }) => outcome),
        column(({ actor }) => actor),
        column(({ subject }) => subject),
        column(({ address }) => address),
        column(({ requestId }) => requestId),
        column(({ detail }) => detail && JSON.stringify(detail)),
        keys,
      ],
    );
  }

  async setCount(number: number, count: number): Promise<void> {
    await this.#database.query('UPDATE weatherd.audit SET count = $2 WHERE number = $1', [number, count]);
  }

  async list(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<readonly RecordedEvent[]> {
    const { rows } = await this.#database.query<RecordedEvent>(
      `SELECT number, time, action, outcome, actor, subject, address, request_id AS "requestId", detail, count
       FROM weatherd.audit WHERE number < $1 ORDER BY number DESC LIMIT $2`,
      [before, limit],
    );
    return rows;
  }

  async purge(time: number): Promise<void> {
    await this.#database.query('DELETE FROM weatherd.audit WHERE time < $1', [time]);
  }
}
