import type { AuditEvent, RecordedEvent, WriteCount } from '#domain/accounts/audit-event.js';

/**
 * An audit event that counts written or erased rows in `detail`. When more rows are written or erased, the count of the stored
 * event can be increased, so that many writes need only one event.
 */
export interface TalliedEvent {
  /** Key of the event. If an event with this key is stored already, the rows are added to the stored event. */
  readonly key: string;
  readonly event: AuditEvent & { readonly detail: WriteCount };
}

/**
 * How many equal events a row of the audit trail stands for, by the number of the row. For example, the sign-in attempts of one
 * network that are refused because of a limit share one row.
 */
export type EventCounts = ReadonlyMap<number, number>;

/** Selects events of the audit trail. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Start of the range of times (included) and its end (not included), in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only events with this number or a larger one are searched, so that a search ends in bounded time. */
  readonly since: number;
}

/** The audit trail. When a promise resolves, the data are on disk. Every method may reject with STORE_UNAVAILABLE. */
export interface AuditStore {
  /**
   * Appends an event as a new row. In the same commit, stores for the other rows in `counts` how many equal events each of them
   * stands for; see `EventCounts`. Resolves to the number of the new row.
   */
  append(event: AuditEvent, counts?: EventCounts): Promise<number>;
  /** Sets how many equal events each of the rows stands for. Unknown rows are ignored. */
  setCounts(counts: EventCounts): Promise<void>;
  /** Appends all events or none, in the given order. */
  appendAll(events: readonly AuditEvent[]): Promise<void>;
  /**
   * Appends each event. If an event with the same key is stored already, the rows that the event counts are added to the stored
   * event instead. Either all events are written or none.
   */
  tally(events: readonly TalliedEvent[]): Promise<void>;
  /** At most `limit` events, newest first. With `before`, only events with a smaller number. */
  list(limit: number, before?: number, filter?: AuditFilter): Promise<readonly RecordedEvent[]>;
  /** Removes the events before `time` (milliseconds since 1970-01-01T00:00:00Z). */
  purge(time: number): Promise<void>;
}
