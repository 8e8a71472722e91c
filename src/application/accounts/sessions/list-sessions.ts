import type { LiveSession } from '#domain/accounts/session.js';
import type { Clock } from '../../ports/clock.js';
import type { CredentialStore } from '../../ports/credential-store.js';
import type { SessionStore } from '../../ports/session-store.js';
import { findUser } from '../users/find-user.js';

/** Lists the valid sessions, newest first. */
export class ListSessions {
  readonly #clock: Clock;
  readonly #users: CredentialStore;
  readonly #sessions: SessionStore;

  constructor(clock: Clock, users: CredentialStore, sessions: SessionStore) {
    this.#clock = clock;
    this.#users = users;
    this.#sessions = sessions;
  }

  /**
   * @param input.user name of the user; null for the sessions of all users
   * @throws DomainError USER_UNKNOWN
   */
  async execute(input: { readonly user: string | null }): Promise<readonly LiveSession[]> {
    const user = input.user === null ? undefined : await findUser(this.#users, input.user);
    return await this.#sessions.list(this.#clock.now() / 1000, user?.id);
  }
}
