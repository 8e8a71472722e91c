import type { Caller } from '#domain/accounts/audit-event.js';
import type { Principal } from '#domain/accounts/session.js';
import type { SessionStore } from '../../ports/session-store.js';
import type { AuditTrail } from '../audit-trail.js';

/**
 * Ends the elevation of a session before the elevation expires. During an elevation, for which the user has given the password
 * again, the user may do actions that are otherwise not allowed.
 */
export class DropElevation {
  readonly #sessions: SessionStore;
  readonly #audit: AuditTrail;

  constructor(sessions: SessionStore, audit: AuditTrail) {
    this.#sessions = sessions;
    this.#audit = audit;
  }

  /** Succeeds also if the session has no elevation, that is, if it has no token for which the user gave the password again. */
  async execute(principal: Principal, caller: Caller): Promise<void> {
    await this.#sessions.drop(principal.sessionId);
    await this.#audit.recordEventually(caller, 'drop', principal.userName);
  }
}
