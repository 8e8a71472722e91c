import type { Database } from 'better-sqlite3';
import type { AuditEvent, RecordedEvent } from '../../domain/audit-event.js';

/** The statements behind SqliteAuditStore; they run in the worker thread. */
export function auditOperations(database: Database) {
  const insert = database.prepare<AuditEvent>(
    `INSERT INTO audit (time, action, outcome, actor, subject, address, request_id)
     VALUES (@time, @action, @outcome, @actor, @subject, @address, @requestId)`,
  );
  const list = database.prepare<[number, number], RecordedEvent>(
    `SELECT number, time, action, outcome, actor, subject, address, request_id AS requestId, count
     FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?`,
  );
  const purge = database.prepare('DELETE FROM audit WHERE time < ?');
  const setCount = database.prepare('UPDATE audit SET count = ? WHERE number = ?');
  return {
    appendEvent: (event: AuditEvent) => Number(insert.run(event).lastInsertRowid),
    setEventCount: (number: number, count: number) => void setCount.run(count, number),
    events: (limit: number, before = Number.MAX_SAFE_INTEGER) => list.all(before, limit),
    purgeEvents: (time: number) => void purge.run(time),
  };
}
