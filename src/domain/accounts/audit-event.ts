import type { AuditAction, AuditOutcome } from './audit-actions.js';
import type { StationGrant } from './user.js';

/** A record of an action: who did it, when, and from where. It never contains a secret. */
export interface AuditEvent {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  /** The name of the user who acted, `command line`, `internal API` or `housekeeping`; null if unknown. */
  readonly actor: string | null;
  /** The object of the action: name of a user or a hook, id of a session, a key or a station, number of an upload key. */
  readonly subject: string | null;
  /** The client's address, or null for the command line. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** Further data of the event, or null. */
  readonly detail: AuditDetail | null;
}

/** Further data of an event. The fields depend on its action. */
export interface AuditDetail {
  /**
   * For `observations-write`, `observations-expire` and `observations-remove`: the times of the first and the last row. For
   * `overrule-add` and `overrule-remove`: the range of times of the quality override, which is an administrator's verdict on
   * stored values. Times are in milliseconds since 1970-01-01T00:00:00Z.
   */
  readonly from?: number;
  readonly to?: number;
  /**
   * For `overrule-add` and `overrule-remove`: data of the quality override, which is an administrator's verdict on stored values.
   * They are its id (`overrule`), the variable of the values, the verdict and the reason.
   */
  readonly overrule?: string;
  readonly variable?: string;
  readonly verdict?: 'bad' | 'good';
  readonly reason?: string;
  /**
   * `rows`: the number of accepted rows (`observations-write`) or of erased rows (`observations-expire`, `observations-remove`).
   * One event may add up the numbers of several batches of rows. If `inserted`, `updated`, `unchanged` and `rejected` are unknown
   * for one of the batches, these four numbers are absent.
   */
  readonly rows?: number;
  readonly inserted?: number;
  readonly updated?: number;
  readonly unchanged?: number;
  readonly rejected?: number;
  /** `import-undo`: the number of the import. */
  readonly import?: number;
  /** `station-put` of one station: the time from which the change applies, if the request gives one. */
  readonly since?: number;
  /** `station-put` of one station: the new visibility and the new number of decimals of the position, if they changed. */
  readonly visibility?: 'public' | 'hidden';
  readonly positionDecimals?: number | null;
  /**
   * `station-put` of one station: the new time of observation, if the request gives one. If an import has set several, they are
   * separated by commas.
   */
  readonly dailyObservationTime?: string | null;
  /** `user-change`: how the list of granted stations was changed, and the stations in the request. */
  readonly grant?: 'replace' | 'grant' | 'withdraw';
  readonly stations?: StationGrant;
  /**
   * For `hook-add`, `alarm-add`, `alarm-change` and `alarm-remove`: the target without its secrets. For `hook-add`,
   * `stations` are the stations whose rows the hook forwards.
   */
  readonly target?: string;
  /** `hook-change` and `source-change`: whether the hook or the source is paused now. */
  readonly paused?: boolean;
  /** `source-change`: the number of dismissed gaps. */
  readonly gaps?: number;
  /** Actions on upload keys and alarms: the id of the station. Absent for an alarm of all stations. */
  readonly station?: string;
  /** For `alarm-add`, `alarm-change` and `alarm-remove`: the condition of the alarm. */
  readonly condition?: string;
  /** `setting-change`: the new value. */
  readonly value?: string;
  /** `upload-key-map`: the mappings that the key has now. */
  readonly mappings?: readonly AuditedMapping[];
}

/** A field of an upload and the variable that gets its values. */
export interface AuditedMapping {
  readonly field: string;
  readonly variable: string;
  readonly unit?: string;
  readonly scale?: number;
  readonly offset?: number;
  readonly counter?: boolean;
  /** The id of the station that gets the values of the field. Absent if this is the station to which the upload key belongs. */
  readonly station?: string;
}

/**
 * Rows that were written to one station: the time of the first row (`from`), the time of the last row (`to`), and their number.
 */
export interface WriteCount {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
}

export function addCounts(a: WriteCount, b: WriteCount): WriteCount {
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to), rows: a.rows + b.rows };
}

/** An event in the audit trail. A later event has a larger number, and no number is used twice. */
export interface RecordedEvent extends AuditEvent {
  readonly number: number;
  /**
   * Number of equal events that this entry stands for. All attempts of a throttled client share one entry until the client may
   * try again.
   */
  readonly count: number;
}

/** The origin of a call to a use-case. */
export interface Caller {
  /** The actor, as in `AuditEvent.actor`. */
  readonly actor: string | null;
  readonly address: string | null;
  /**
   * The address of the client. For IPv6: the /64 network of the address, because one client may use many addresses of its
   * network.
   */
  readonly network: string | null;
  readonly requestId: string | null;
}

/** The caller of the service's own periodic work. */
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
