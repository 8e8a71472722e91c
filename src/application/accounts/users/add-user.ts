import type { Caller } from '#domain/accounts/audit-event.js';
import { acceptNewPassword } from '#domain/accounts/password.js';
import { acceptEmail, acceptUserName, type StationGrant, type User } from '#domain/accounts/user.js';
import type { Clock } from '../../ports/clock.js';
import type { CredentialStore } from '../../ports/credential-store.js';
import type { IdSource } from '../../ports/id-source.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';
import type { AuditTrail } from '../audit-trail.js';

export interface NewUser {
  readonly name: string;
  readonly email: string | null;
  readonly password: string;
  readonly enabled?: boolean;
  readonly administrator?: boolean;
  /** The stations that the user may write. Undefined means no stations. */
  readonly stations?: StationGrant;
}

export interface AddUserDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly users: CredentialStore;
  readonly passwords: PasswordHasher;
  readonly audit: AuditTrail;
}

/** Creates a user, who may sign in at once unless `enabled` is false. */
export class AddUser {
  readonly #with: AddUserDependencies;

  constructor(dependencies: AddUserDependencies) {
    this.#with = dependencies;
  }

  /**
   * @throws DomainError REQUEST_INVALID for a name, email or password that breaks a rule; USER_EXISTS; STATION_UNKNOWN
   */
  async execute(input: NewUser, caller: Caller): Promise<User> {
    const { clock, ids, users, passwords, audit } = this.#with;
    const name = acceptUserName(input.name);
    const email = input.email === null ? null : acceptEmail(input.email);
    const passwordHash = await passwords.hash(acceptNewPassword(input.password));
    const { enabled = true, administrator = false, stations = [] } = input;
    const user = {
      id: ids.next(),
      name,
      email,
      passwordHash,
      enabled,
      administrator,
      stations,
      createdAt: clock.now(),
    };
    await users.add(user);
    const detail = stations.length === 0 ? null : { grant: 'replace' as const, stations };
    await audit.record(caller, 'user-add', name, 'done', detail);
    return user;
  }
}
