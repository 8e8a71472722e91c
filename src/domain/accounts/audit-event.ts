import type { StationGrant } from './user.js';

/** A record of who did what, when and from where. It never holds a secret. */
export interface AuditEvent {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  /**
   * The name of the user who acted, `command line`, `internal API` or
   * `housekeeping`; null when nobody knows.
   */
  readonly actor: string | null;
  /** The object of the action: name of a user, id of a session, a key or a station. */
  readonly subject: string | null;
  /** The client's address, or null for the command line. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** Further data of the event, or null. */
  readonly detail: AuditDetail | null;
}

/** Numbers and names that belong to an event; which ones depends on its action. */
export interface AuditDetail {
  /** `observations-write`: the first and the last time of the rows, milliseconds since 1970-01-01T00:00:00Z. */
  readonly from?: number;
  readonly to?: number;
  /** `observations-write`: rows that were accepted, and what became of them where it is known of each batch. */
  readonly rows?: number;
  readonly inserted?: number;
  readonly updated?: number;
  readonly unchanged?: number;
  readonly rejected?: number;
  /** `user-change`: what became of the stations that a user may write. */
  readonly grant?: 'replace' | 'grant' | 'withdraw';
  readonly stations?: StationGrant;
}

/** Rows that one source has written to one station on one day, so far. */
export interface WriteCount {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
}

export function addCounts(a: WriteCount, b: WriteCount): WriteCount {
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to), rows: a.rows + b.rows };
}

export const AUDIT_ACTIONS = [
  'sign-in',
  'elevation',
  'drop',
  'revocation',
  'user-add',
  'user-change',
  'user-remove',
  'key-rotate',
  'key-retire',
  'station-put',
  'station-remove',
  'observations-discard',
  'station-restore',
  'station-erase',
  'observations-write',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_OUTCOMES = ['done', 'refused', 'throttled'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** An event as the trail holds it: numbers rise with time, without reuse. */
export interface RecordedEvent extends AuditEvent {
  readonly number: number;
  /** How many events of the same kind the row stands for: throttled attempts share one for as long as they have to wait. */
  readonly count: number;
}

/** Where a request to a use-case comes from. */
export interface Caller {
  /** As `AuditEvent.actor`. */
  readonly actor: string | null;
  readonly address: string | null;
  /** The address, or the network of the client where one client has many addresses (IPv6: its /64). */
  readonly network: string | null;
  readonly requestId: string | null;
}

/** The caller of what the service does by itself. */
export const HOUSEKEEPING: Caller = {
  actor: 'housekeeping',
  address: null,
  network: null,
  requestId: null,
};

export const COMMAND_LINE: Caller = {
  actor: 'command line',
  address: null,
  network: null,
  requestId: null,
};
