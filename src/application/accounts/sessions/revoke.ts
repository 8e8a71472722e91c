import { ELEVATED_TOKEN_LEVEL } from '#domain/accounts/access-token.js';
import type { Caller } from '#domain/accounts/audit-event.js';
import type { Principal } from '#domain/accounts/session.js';
import type { SessionStore } from '../../ports/session-store.js';
import type { AuditTrail } from '../audit-trail.js';

/**
 * What a user ends when signing out. `token`: the token of the request; if it is the token of the sign-in and not an elevated
 * token, its session ends too. `session`: the session with all its tokens. `all`: every session of the user.
 */
export const REVOCATION_SCOPES = ['token', 'session', 'all'] as const;
export type RevocationScope = (typeof REVOCATION_SCOPES)[number];

/** Signs out: ends a token, a session, or all sessions of a user. */
export class Revoke {
  readonly #sessions: SessionStore;
  readonly #audit: AuditTrail;

  constructor(sessions: SessionStore, audit: AuditTrail) {
    this.#sessions = sessions;
    this.#audit = audit;
  }

  /** Resolves to the number of sessions that ended. */
  async execute(scope: RevocationScope, principal: Principal, caller: Caller): Promise<number> {
    const ended = await this.#end(scope, principal);
    const subject = scope === 'all' ? principal.userName : `${scope} of ${principal.userName}`;
    await this.#audit.recordEventually(caller, 'revocation', subject);
    return ended;
  }

  async #end(scope: RevocationScope, principal: Principal): Promise<number> {
    const { userId, sessionId, level } = principal;
    if (scope === 'all') return this.#sessions.endAll(userId);
    if (scope === 'session' || level !== ELEVATED_TOKEN_LEVEL) {
      return (await this.#sessions.end(sessionId)) ? 1 : 0;
    }
    await this.#sessions.drop(sessionId);
    return 0;
  }
}
