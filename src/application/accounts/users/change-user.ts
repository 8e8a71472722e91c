import type { Caller } from '#domain/accounts/audit-event.js';
import { acceptNewPassword } from '#domain/accounts/password.js';
import { acceptEmail } from '#domain/accounts/user.js';
import { DomainError } from '#domain/domain-error.js';
import type { CredentialStore, GrantChange, UserChanges } from '../../ports/credential-store.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';
import type { AuditTrail } from '../audit-trail.js';
import { findUser } from './find-user.js';

export interface ChangeUserInput {
  readonly name: string;
  /** The new email; null removes the email. Here and in the other fields, undefined means no change. */
  readonly email?: string | null;
  readonly password?: string;
  readonly enabled?: boolean;
  readonly administrator?: boolean;
  readonly stations?: GrantChange;
}

/** Changes a user. All sessions of the user end if the user gets a new password or is disabled. */
export class ChangeUser {
  readonly #users: CredentialStore;
  readonly #passwords: PasswordHasher;
  readonly #audit: AuditTrail;

  constructor(users: CredentialStore, passwords: PasswordHasher, audit: AuditTrail) {
    this.#users = users;
    this.#passwords = passwords;
    this.#audit = audit;
  }

  /**
   * @param expected see `CredentialStore.change`
   * @throws DomainError USER_UNKNOWN; PRECONDITION_FAILED; REQUEST_INVALID if a value breaks a rule, or if a station is withdrawn from a user
   *   who may write all stations; USER_EXISTS if another user has the email; STATION_UNKNOWN
   */
  async execute(input: ChangeUserInput, caller: Caller, expected?: string): Promise<void> {
    const { email, enabled, administrator, stations } = input;
    const password = input.password === undefined ? undefined : acceptNewPassword(input.password);
    const user = await findUser(this.#users, input.name);
    if (user.stations === '*' && stations?.how === 'withdraw' && stations.stations !== '*') {
      throw new DomainError(
        'REQUEST_INVALID',
        `The user ${user.name} may write all stations. Withdraw all stations, then grant single stations.`,
      );
    }
    const changes: UserChanges = {
      ...(email !== undefined && { email: email === null ? null : acceptEmail(email) }),
      ...(password !== undefined && { passwordHash: await this.#passwords.hash(password) }),
      ...(enabled !== undefined && { enabled }),
      ...(administrator !== undefined && { administrator }),
      ...(stations !== undefined && { stations }),
    };
    await this.#users.change(user.id, changes, expected);
    await this.#audit.record(
      caller,
      'user-change',
      `${Object.keys(input).slice(1).join(', ')} of ${user.name}`,
      'done',
      stations === undefined ? null : { grant: stations.how, stations: stations.stations },
    );
  }
}
