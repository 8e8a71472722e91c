/** What is worth knowing afterwards: who did what, when and from where. Never a secret. */
export interface AuditEvent {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  /** The name of the user who acted, or `command line`; null when nobody knows. */
  readonly actor: string | null;
  /** Whom or what it was done to: a user's name, a session, a key. */
  readonly subject: string | null;
  /** The client's address, or null for the command line. */
  readonly address: string | null;
  readonly requestId: string | null;
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

export const COMMAND_LINE: Caller = {
  actor: 'command line',
  address: null,
  network: null,
  requestId: null,
};
