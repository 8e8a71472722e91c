import type { AuditStore, EventCounts } from '#application/ports/audit-store.js';
import type { AuditDetail, AuditEvent, RecordedEvent } from '#domain/accounts/audit-event.js';
import { fromJson } from '../columns.js';
import { type Operation, rowFrom, rowsFrom, send } from '../run-operation.js';
import {
  bigint,
  both,
  greater,
  jsonValue,
  JSON_OBJECT,
  lesser,
  rowsOf,
  type Statement,
  sql,
  text,
} from '../sql.js';
import { type OperationsOf, present, transaction, write } from '../store-operations.js';

const EVENTS = rowsOf({
  time: 'bigint',
  action: 'text',
  outcome: 'text',
  actor: 'text',
  subject: 'text',
  address: 'text',
  request_id: 'text',
  detail: 'jsonb',
  tally: 'text',
});
const COUNTS = rowsOf({ number: 'bigint', count: 'integer' });

/**
 * Two functions for an upsert that adds a write to a stored row of the audit trail. A row can count several writes together. Its
 * JSON column `detail` then has the sums of all these writes, for example `rows`, the number of rows.
 *
 * - `kept` returns the SQL that reads a number from the stored row.
 * - `added` returns the SQL that reads the same number from the new write.
 */
const kept = (field: string) => `CAST(audit.detail ->> '${field}' AS bigint)`;
const added = (field: string) => `CAST(excluded.detail ->> '${field}' AS bigint)`;
const TOTAL = both(`${kept('rows')} + ${added('rows')}`);

/**
 * Creates the statement that inserts events. The caller may append a condition, in which the table `given` contains the events.
 *
 * @param tallies for each event a key: all events with the same key are counted in one row. Empty if each event gets a row of its
 *   own
 */
export function insertEvents(events: readonly AuditEvent[], tallies: readonly string[] = []): Statement {
  const given = events.map(({ requestId, ...event }, index) => ({
    ...event,
    request_id: requestId,
    tally: tallies[index],
  }));
  return sql`INSERT INTO weatherd.audit (time, action, outcome, actor, subject, address, request_id, detail, tally)
    SELECT time, action, outcome, actor, subject, address, request_id, detail, tally FROM ${EVENTS(given)}`;
}

/** Creates the statement that inserts one event in a row of its own. It takes a fraction of the time of `insertEvents`. */
export function insertEvent(event: AuditEvent): Statement {
  const { time, action, outcome, actor, subject, address, requestId, detail } = event;
  return sql`INSERT INTO weatherd.audit (time, action, outcome, actor, subject, address, request_id, detail)
    VALUES (${time}, ${action}, ${outcome}, ${actor}, ${subject}, ${address}, ${requestId}, ${jsonValue(detail)})`;
}

/**
 * Creates the statement that sets the column `count` of some rows of the audit trail. `count` is the number of events that a
 * row represents.
 */
export function setCounts(counts: EventCounts): Statement {
  const given = [...counts].map(([number, count]) => ({ number, count }));
  return sql`UPDATE weatherd.audit SET count = given.count FROM ${COUNTS(given)} WHERE audit.number = given.number`;
}

/** Appends events, within the transaction of the caller. */
export function* appendEvents(events: readonly AuditEvent[]): Operation<void> {
  const [event] = events;
  if (event !== undefined) yield* send(events.length === 1 ? insertEvent(event) : insertEvents(events));
}

export const AUDIT: OperationsOf<AuditStore> = {
  append: transaction(function* (event, counts = new Map()) {
    if (counts.size > 0) yield* send(setCounts(counts));
    const row = yield* rowFrom<{ number: number }>(sql`${insertEvent(event)} RETURNING number`);
    return row?.number ?? 0;
  }),

  setCounts: write(function* (counts) {
    yield* send(setCounts(counts));
  }),

  appendAll: write(appendEvents),

  tally: write(function* (events) {
    // The events are sorted by key, so that instances lock the rows in the same order and cannot deadlock.
    const sorted = [...events].sort((a, b) => (a.key < b.key ? -1 : 1));
    const keys = sorted.map(({ key }) => key);
    const rows = sorted.map(({ event }) => event);
    yield* send(
      sql`${insertEvents(rows, keys)} WHERE true ON CONFLICT (tally) WHERE tally IS NOT NULL DO UPDATE SET
            detail = ${JSON_OBJECT}(
              'from', ${lesser(kept('from'), added('from'))},
              'to', ${greater(kept('to'), added('to'))},
              'rows', ${TOTAL})`,
    );
  }),

  list: present(function* (limit, before = Number.MAX_SAFE_INTEGER, filter = { since: 0 }) {
    const { actor = null, action = null, from = null, to = null, since } = filter;
    const found = yield* rowsFrom<RecordedEvent>(
      sql`SELECT number, time, action, outcome, actor, subject, address, request_id AS "requestId", detail, count
          FROM weatherd.audit WHERE number < ${before} AND number >= ${since}
            AND (${text(actor)} IS NULL OR actor = ${text(actor)})
            AND (${text(action)} IS NULL OR action = ${text(action)})
            AND (${bigint(from)} IS NULL OR time >= ${bigint(from)})
            AND (${bigint(to)} IS NULL OR time < ${bigint(to)})
          ORDER BY number DESC LIMIT ${limit}`,
    );
    return found.map((row) => ({ ...row, detail: fromJson(row.detail) as AuditDetail | null }));
  }),

  purge: write(function* (time) {
    yield* send(sql`DELETE FROM weatherd.audit WHERE time < ${time}`);
  }),
};
