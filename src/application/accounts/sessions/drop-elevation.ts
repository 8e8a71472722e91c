import type { Caller } from '#domain/accounts/audit-event.js';
import type { Principal } from '#domain/accounts/session.js';
import type { SessionStore } from '../../ports/session-store.js';
import type { AuditTrail } from '../audit-trail.js';

/** Ends the elevation of a session before the elevation expires. */
export class DropElevation {
  readonly #sessions: SessionStore;
  readonly #audit: AuditTrail;

  constructor(sessions: SessionStore, audit: AuditTrail) {
    this.#sessions = sessions;
    this.#audit = audit;
  }

  /** Does nothing if the session has no elevation. */
  async execute(principal: Principal, caller: Caller): Promise<void> {
    await this.#sessions.drop(principal.sessionId);
    await this.#audit.recordEventually(caller, 'drop', principal.userName);
  }
}
