import type { Caller } from '#domain/accounts/audit-event.js';
import { acceptNewPassword } from '#domain/accounts/password.js';
import { acceptUserName } from '#domain/accounts/user.js';
import { DomainError } from '#domain/domain-error.js';
import type { Clock } from '../../ports/clock.js';
import type { CredentialStore } from '../../ports/credential-store.js';
import type { IdSource } from '../../ports/id-source.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';
import type { Secrets } from '../../ports/secrets.js';
import type { SetupCode } from '../../ports/setup-code.js';
import type { AuditTrail } from '../audit-trail.js';
import type { SignInQueue } from '../sessions/sign-in-queue.js';
import { digestOf } from './one-time-code.js';

export interface FirstAdministrator {
  /** The code, as typed. */
  readonly code: string;
  readonly name: string;
  readonly password: string;
}

export interface MakeFirstAdministratorDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly secrets: Secrets;
  readonly users: CredentialStore;
  readonly passwords: PasswordHasher;
  readonly queue: SignInQueue;
  readonly code: SetupCode;
  readonly audit: AuditTrail;
}

/** Creates the first administrator for a visitor who has the code that the service printed at its start. */
export class MakeFirstAdministrator {
  readonly #with: MakeFirstAdministratorDependencies;

  constructor(dependencies: MakeFirstAdministratorDependencies) {
    this.#with = dependencies;
  }

  /**
   * @returns the name of the administrator
   * @throws DomainError SETUP_ENDED after the use of the code or its hour; ADMINISTRATOR_EXISTS; SETUP_CODE_INVALID;
   *   RATE_LIMITED for a wrong code after many wrong ones; REQUEST_INVALID for a name or a password that breaks a rule, and
   *   USER_EXISTS, after which the code is still valid; SERVICE_UNAVAILABLE if too many passwords wait
   */
  async execute(
    { code: typed, name: typedName, password }: FirstAdministrator,
    caller: Caller,
  ): Promise<string> {
    const { clock, ids, users, passwords, queue, code, audit } = this.#with;
    await this.#assertRight(typed, caller);
    const name = acceptUserName(typedName);
    const accepted = acceptNewPassword(password);
    return await queue.run(caller.network ?? '', async () => {
      // Another request with the same code may have been first in the queue.
      if (await users.hasAdministrator()) throw await this.#administratorExists();
      const user = {
        id: ids.next(),
        name,
        email: null,
        passwordHash: await passwords.hash(accepted),
        enabled: true,
        administrator: true,
        stations: [],
        createdAt: clock.now(),
      };
      const event = audit.event({ ...caller, actor: name }, 'setup', name);
      if (!(await users.addFirstAdministrator(user, event))) throw await this.#administratorExists();
      await code.end();
      return name;
    });
  }

  async #assertRight(typed: string, caller: Caller): Promise<void> {
    const { secrets, users, code, audit } = this.#with;
    const guess = await code.guess(digestOf(secrets, typed));
    if (guess.outcome === 'right') return;
    if (await users.hasAdministrator()) throw await this.#administratorExists();
    if (guess.outcome === 'ended')
      throw new DomainError(
        'SETUP_ENDED',
        'The code was used or is older than an hour. Start the service again in a terminal: it prints a new address.',
      );
    if (guess.wait > 0) {
      await audit.recordThrottled(caller, 'setup', null, guess.wait);
      throw new DomainError(
        'RATE_LIMITED',
        'Too many wrong codes. Open the address that the service printed.',
        {
          retryAfter: guess.wait,
        },
      );
    }
    await audit.record(caller, 'setup', null, 'refused');
    throw new DomainError(
      'SETUP_CODE_INVALID',
      'The code is wrong. Open the address that the service printed at its last start.',
    );
  }

  async #administratorExists(): Promise<DomainError> {
    await this.#with.code.end();
    return new DomainError('ADMINISTRATOR_EXISTS', 'This service has an administrator already. Sign in.');
  }
}
