import type { AuditEvent, RecordedEvent, WriteCount } from '#domain/accounts/audit-event.js';

/** Writes that are counted in one event. */
export interface TalliedEvent {
  /** Key of the event, made from its source, station and day. */
  readonly key: string;
  readonly event: AuditEvent & { readonly detail: WriteCount };
}

/** How many events a row stands for, by the number of the row. */
export type EventCounts = ReadonlyMap<number, number>;

/** The audit trail. What a promise has confirmed is on disk. All may reject with STORE_UNAVAILABLE. */
export interface AuditStore {
  /**
   * Appends an event, which has the count 1, and sets those counts, as one commit. Resolves to the number of the event.
   */
  append(event: AuditEvent, counts?: EventCounts): Promise<number>;
  /** Sets how many events each row stands for. That there is no such row is no error. */
  setCounts(counts: EventCounts): Promise<void>;
  /** Appends all of them or none, in their order. */
  appendAll(events: readonly AuditEvent[]): Promise<void>;
  /** Appends each event, or adds its counts to the event with the same key. All or none. */
  tally(events: readonly TalliedEvent[]): Promise<void>;
  /** At most `limit` events whose number is below `before` (any number if undefined), newest first. */
  list(limit: number, before?: number): Promise<readonly RecordedEvent[]>;
  /** Removes the events before `time` (milliseconds since 1970-01-01T00:00:00Z). */
  purge(time: number): Promise<void>;
}
