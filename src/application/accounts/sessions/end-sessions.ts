import type { Caller } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import type { CredentialStore } from '../../ports/credential-store.js';
import type { SessionStore } from '../../ports/session-store.js';
import type { AuditTrail } from '../audit-trail.js';
import { findUser } from '../users/find-user.js';

export type EndSessionsInput = { readonly session: string } | { readonly user: string };

/** Ends one session, or all sessions of a user. Operators use this class. Users sign out with `Revoke`. */
export class EndSessions {
  readonly #users: CredentialStore;
  readonly #sessions: SessionStore;
  readonly #audit: AuditTrail;

  constructor(users: CredentialStore, sessions: SessionStore, audit: AuditTrail) {
    this.#users = users;
    this.#sessions = sessions;
    this.#audit = audit;
  }

  /**
   * Resolves to the number of sessions that ended.
   *
   * @throws DomainError USER_UNKNOWN; SESSION_UNKNOWN
   */
  async execute(input: EndSessionsInput, caller: Caller): Promise<number> {
    if ('user' in input) {
      const user = await findUser(this.#users, input.user);
      const ended = await this.#sessions.endAll(user.id);
      await this.#audit.record(caller, 'revocation', user.name);
      return ended;
    }
    if (!(await this.#sessions.end(input.session))) throw unknownSession(input.session);
    await this.#audit.record(caller, 'revocation', `session ${input.session}`);
    return 1;
  }
}

export function unknownSession(id: string): DomainError {
  return new DomainError('SESSION_UNKNOWN', `There is no session ${quoted(id)}.`);
}
