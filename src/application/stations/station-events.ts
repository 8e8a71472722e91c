import type { AuditAction, Caller } from '../../domain/accounts/audit-event.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import type { Announcer } from '../ports/announcer.js';

/** Writes down that stations have been changed, and announces it. */
export class StationEvents {
  readonly #audit: AuditTrail;
  readonly #announcer: Announcer;

  constructor(audit: AuditTrail, announcer: Announcer) {
    this.#audit = audit;
    this.#announcer = announcer;
  }

  /** To be called after the commit. It is announced even where it cannot be written down. @param subject id of the station */
  async record(caller: Caller, action: AuditAction, subject: string): Promise<void> {
    this.#announcer.announce({ kind: 'stations' });
    await this.#audit.record(caller, action, subject);
  }
}
