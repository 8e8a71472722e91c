import type { Database } from 'better-sqlite3';
import type { EventCounts, TalliedEvent } from '#application/ports/audit-store.js';
import type { AuditDetail, AuditEvent, RecordedEvent } from '#domain/accounts/audit-event.js';

interface EventRow extends Omit<AuditEvent, 'detail'> {
  /** JSON. */
  readonly detail: string | null;
  readonly tally: string | null;
}

/** The statements behind SqliteAuditStore; they run in the worker thread. */
export function auditOperations(database: Database) {
  const insert = database.prepare<EventRow>(
    `INSERT INTO audit (time, action, outcome, actor, subject, address, request_id, detail, tally)
     VALUES (@time, @action, @outcome, @actor, @subject, @address, @requestId, @detail, @tally)
     ON CONFLICT (tally) WHERE tally IS NOT NULL DO UPDATE SET detail = json_object(
       'from', min(detail ->> 'from', excluded.detail ->> 'from'),
       'to', max(detail ->> 'to', excluded.detail ->> 'to'),
       'rows', (detail ->> 'rows') + (excluded.detail ->> 'rows'))`,
  );
  const list = database.prepare<
    [number, number],
    Omit<RecordedEvent, 'detail'> & { readonly detail: string | null }
  >(
    `SELECT number, time, action, outcome, actor, subject, address, request_id AS requestId, detail, count
     FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?`,
  );
  const purge = database.prepare('DELETE FROM audit WHERE time < ?');
  const append = (event: AuditEvent, tally: string | null) => {
    const row = { ...event, detail: event.detail && JSON.stringify(event.detail), tally };
    return Number(insert.run(row).lastInsertRowid);
  };
  const setCount = database.prepare('UPDATE audit SET count = ? WHERE number = ?');
  const tallyAll = database.transaction((events: readonly TalliedEvent[]) => {
    for (const { key, event } of events) append(event, key);
  });
  const setCounts = database.transaction((counts: EventCounts) => {
    for (const [number, count] of counts) setCount.run(count, number);
  });
  const appendOne = database.transaction((event: AuditEvent, counts: EventCounts) => {
    setCounts(counts);
    return append(event, null);
  });
  const appendAll = database.transaction((events: readonly AuditEvent[]) => {
    for (const event of events) append(event, null);
  });
  return {
    appendEvents: (events: readonly AuditEvent[]) => appendAll.immediate(events),
    appendEvent: (event: AuditEvent, counts: EventCounts) =>
      counts.size === 0 ? append(event, null) : appendOne.immediate(event, counts),
    setEventCounts: (counts: EventCounts) => setCounts.immediate(counts),
    tallyEvents: (events: readonly TalliedEvent[]) => tallyAll.immediate(events),
    events: (limit: number, before = Number.MAX_SAFE_INTEGER): RecordedEvent[] =>
      list.all(before, limit).map((row) => ({
        ...row,
        detail: row.detail === null ? null : (JSON.parse(row.detail) as AuditDetail),
      })),
    purgeEvents: (time: number) => void purge.run(time),
  };
}
