import type { AuditEvent, RecordedEvent, WriteCount } from '../../domain/accounts/audit-event.js';

/** Writes that are counted in one event. */
export interface TalliedEvent {
  /** Key of the event, made from its source, station and day. */
  readonly key: string;
  readonly event: AuditEvent & { readonly detail: WriteCount };
}

/** The audit trail. When a promise resolves, the data are on disk. All methods may reject with STORE_UNAVAILABLE. */
export interface AuditStore {
  /** Resolves to the number of the event, which has the count 1. */
  append(event: AuditEvent): Promise<number>;
  /** Sets the number of attempts that an event stands for. Does nothing if the event does not exist. */
  setCount(number: number, count: number): Promise<void>;
  /** Appends the events in their order, all or none. */
  appendAll(events: readonly AuditEvent[]): Promise<void>;
  /** Appends each event, or adds its counts to the event with the same key. All or none. */
  tally(events: readonly TalliedEvent[]): Promise<void>;
  /** At most `limit` events whose number is below `before` (any number if undefined), newest first. */
  list(limit: number, before?: number): Promise<readonly RecordedEvent[]>;
  /** Removes the events before `time` (milliseconds since 1970-01-01T00:00:00Z). */
  purge(time: number): Promise<void>;
}
