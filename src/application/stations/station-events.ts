import type { AuditAction } from '#domain/accounts/audit-actions.js';
import type { AuditDetail, AuditEvent, Caller } from '#domain/accounts/audit-event.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import type { Announcer } from '../ports/announcer.js';

/** Creates the audit events of changes of stations, and announces the changes. */
export class StationEvents {
  readonly #audit: AuditTrail;
  readonly #announcer: Announcer;

  constructor(audit: AuditTrail, announcer: Announcer) {
    this.#audit = audit;
    this.#announcer = announcer;
  }

  /**
   * The events that the store writes in the transaction of the change.
   *
   * @param subject id of the station
   */
  of(
    caller: Caller,
    action: AuditAction,
    subject: string,
    detail: AuditDetail | null = null,
  ): readonly AuditEvent[] {
    return [this.#audit.event(caller, action, subject, 'done', detail)];
  }

  /** Announces a change. It must be called after the commit. */
  announce(): void {
    this.#announcer.announce({ kind: 'stations' });
  }
}
