import type { AuditEvent, RecordedEvent } from '../../domain/audit-event.js';

/** The audit trail. What a promise has confirmed is on disk. Both may reject with STORE_UNAVAILABLE. */
export interface AuditStore {
  append(event: AuditEvent): Promise<void>;
  /** At most `limit` events, newest first, of those with a number below `before` (of all when undefined). */
  list(limit: number, before?: number): Promise<readonly RecordedEvent[]>;
  /** Removes the events before `time` (milliseconds since 1970-01-01T00:00:00Z). */
  purge(time: number): Promise<void>;
}
