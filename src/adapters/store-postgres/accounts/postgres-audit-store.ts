import type { AuditStore, EventCounts, TalliedEvent } from '#application/ports/audit-store.js';
import type { AuditEvent, RecordedEvent } from '#domain/accounts/audit-event.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { APPEND_EVENTS, eventColumns } from './audit-rows.js';

/** The audit trail in PostgreSQL. */
export class PostgresAuditStore implements AuditStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async append(event: AuditEvent, counts: EventCounts = new Map()): Promise<number> {
    const { rows } = await this.#database.query<{ number: number }>(
      `WITH counted AS (${setCounts('$10', '$11')}) ${APPEND_EVENTS} RETURNING number`,
      [...eventColumns([event]), [...counts.keys()], [...counts.values()]],
    );
    return rows[0]?.number ?? 0;
  }

  async tally(events: readonly TalliedEvent[]): Promise<void> {
    // Sorted by key, so that instances lock the rows in the same order and cannot deadlock.
    const sorted = [...events].sort((a, b) => (a.key < b.key ? -1 : 1));
    await this.#database.query(
      `${APPEND_EVENTS}
       ON CONFLICT (tally) WHERE tally IS NOT NULL DO UPDATE SET detail = jsonb_build_object(
         'from', least((kept.detail ->> 'from')::bigint, (excluded.detail ->> 'from')::bigint),
         'to', greatest((kept.detail ->> 'to')::bigint, (excluded.detail ->> 'to')::bigint),
         'rows', (kept.detail ->> 'rows')::bigint + (excluded.detail ->> 'rows')::bigint)`,
      eventColumns(
        sorted.map(({ event }) => event),
        sorted.map(({ key }) => key),
      ),
    );
  }

  async appendAll(events: readonly AuditEvent[]): Promise<void> {
    await this.#database.query(APPEND_EVENTS, eventColumns(events));
  }

  async setCounts(counts: EventCounts): Promise<void> {
    await this.#database.query(setCounts('$1', '$2'), [[...counts.keys()], [...counts.values()]]);
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

/** Sets counts; the parameters are the numbers of the rows and the counts. */
function setCounts(numbers: string, counts: string): string {
  return `UPDATE weatherd.audit SET count = sent.count
    FROM unnest(${numbers}::bigint[], ${counts}::integer[]) AS sent (number, count)
    WHERE audit.number = sent.number`;
}
