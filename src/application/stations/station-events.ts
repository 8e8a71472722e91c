import type { AuditAction, AuditDetail, Caller } from '../../domain/accounts/audit-event.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import type { Announcer } from '../ports/announcer.js';

/** Records changes of stations in the audit trail, and announces them. */
export class StationEvents {
  readonly #audit: AuditTrail;
  readonly #announcer: Announcer;

  constructor(audit: AuditTrail, announcer: Announcer) {
    this.#audit = audit;
    this.#announcer = announcer;
  }

  /**
   * Must be called after the commit. The change is announced even if the audit trail cannot be written.
   *
   * @param subject station id
   */
  async record(
    caller: Caller,
    action: AuditAction,
    subject: string,
    detail: AuditDetail | null = null,
  ): Promise<void> {
    this.#announcer.announce({ kind: 'stations' });
    await this.#audit.record(caller, action, subject, 'done', detail);
  }
}
