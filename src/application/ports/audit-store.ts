import type { AuditEvent, RecordedEvent, WriteCount } from '#domain/accounts/audit-event.js';

/** Writes that are counted in one event. */
export interface TalliedEvent {
  /** Key of the event. Writes with the same key are counted in the same event. */
  readonly key: string;
  readonly event: AuditEvent & { readonly detail: WriteCount };
}

/** The number of events that a row of the audit trail represents, by number of the row. */
export type EventCounts = ReadonlyMap<number, number>;

/** The audit trail. When a promise resolves, the data are on disk. Every method may reject with STORE_UNAVAILABLE. */
export interface AuditStore {
  /** Appends an event with the count 1, and sets `counts` of other rows, in one commit. Resolves to the number of the event. */
  append(event: AuditEvent, counts?: EventCounts): Promise<number>;
  /** Sets the number of events that each row represents. Unknown rows are ignored. */
  setCounts(counts: EventCounts): Promise<void>;
  /** Appends all events or none, in the given order. */
  appendAll(events: readonly AuditEvent[]): Promise<void>;
  /** Appends each event, or adds its counts to the stored event with the same key. Either all events are written or none. */
  tally(events: readonly TalliedEvent[]): Promise<void>;
  /** At most `limit` events, newest first. With `before`, only events with a smaller number. */
  list(limit: number, before?: number): Promise<readonly RecordedEvent[]>;
  /** Removes the events before `time` (milliseconds since 1970-01-01T00:00:00Z). */
  purge(time: number): Promise<void>;
}
