import type { AuditEvent, RecordedEvent, WriteCount } from '#domain/accounts/audit-event.js';

/** Writes that are counted in one event. */
export interface TalliedEvent {
  /** Key of the event. Writes with the same key are counted in the same event. */
  readonly key: string;
  readonly event: AuditEvent & { readonly detail: WriteCount };
}

/**
 * How many equal events a row of the audit trail stands for, by the number of the row. For example, the sign-in attempts of one
 * network that are refused because of a limit share one row.
 */
export type EventCounts = ReadonlyMap<number, number>;

/** The audit trail. When a promise resolves, the data are on disk. Every method may reject with STORE_UNAVAILABLE. */
export interface AuditStore {
  /**
   * Appends an event as a row that stands for one event. In the same commit, sets the numbers of events of other rows to
   * `counts`. Resolves to the number of the new row.
   */
  append(event: AuditEvent, counts?: EventCounts): Promise<number>;
  /** Sets how many equal events each of the rows stands for. Unknown rows are ignored. */
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
