import { BASIC_TOKEN_LEVEL, type TokenGrant } from '#domain/accounts/access-token.js';
import type { Caller } from '#domain/accounts/audit-event.js';
import { preparePassword } from '#domain/accounts/password.js';
import { identityKey } from '#domain/accounts/user.js';
import { DomainError } from '#domain/domain-error.js';
import type { BegunSignIn, PresentedKeys, SignInStore } from '../../ports/sign-in-store.js';
import type { Counter, Telemetry } from '../../ports/telemetry.js';
import { asNotReady, notReady } from '../readiness.js';
import { type AttemptDependencies, uncountOnFailure } from './attempt.js';
import { describeToken, type IssuedToken } from './issued-token.js';
import { type SignInCounters, signInCounters } from './sign-in-limits.js';

export interface Credentials {
  readonly username: string | null;
  readonly email: string | null;
  readonly password: string;
}

export interface AuthenticateSettings {
  readonly enabled: boolean;
  /** Lifetime of a token in whole seconds. */
  readonly tokenDuration: number;
}

export interface AuthenticateDependencies extends AttemptDependencies {
  readonly signIns: SignInStore;
  readonly telemetry: Telemetry;
}

/**
 * Exchanges a user name or an email and a password for a basic token, and begins a session. Some actions are not allowed with a
 * basic token: they need an elevated token, for which the user gives the password again.
 *
 * An attempt calls the store twice, whatever its outcome: `begin` counts the attempt before the password is verified, and the
 * second call stores the outcome with its event.
 */
export class Authenticate {
  readonly #settings: AuthenticateSettings;
  readonly #with: AuthenticateDependencies;
  readonly #failures: Readonly<Record<'credentials' | 'throttled', Counter>>;

  constructor(settings: AuthenticateSettings, dependencies: AuthenticateDependencies) {
    this.#settings = settings;
    this.#with = dependencies;
    const failures = dependencies.telemetry.counter({
      name: 'weatherd_sign_in_failures_total',
      help: 'Attempts to sign in that were refused.',
      labels: ['reason'],
    });
    this.#failures = {
      credentials: failures({ reason: 'credentials' }),
      throttled: failures({ reason: 'throttled' }),
    };
  }

  /**
   * @throws DomainError REQUEST_INVALID without a user name and an email; AUTH_INVALID_CREDENTIALS for an unknown user, a
   *   disabled user or a wrong password; AUTH_NOT_READY_YET if authentication is off, has no key or cannot reach its store;
   *   RATE_LIMITED after too many failures from the network of the caller, with the same name, with the same email, or in total;
   *   SERVICE_UNAVAILABLE if too many users sign in at the same time
   */
  async execute(credentials: Credentials, caller: Caller): Promise<IssuedToken> {
    const { username, email } = credentials;
    if (username === null && email === null) {
      throw new DomainError('REQUEST_INVALID', 'Either username or email must be given.');
    }
    if (!this.#settings.enabled) throw notReady();
    return await asNotReady(this.#signIn(credentials, caller));
  }

  async #signIn(credentials: Credentials, caller: Caller): Promise<IssuedToken> {
    const { tokens, queue } = this.#with;
    // The signing key is checked first: a service that cannot sign must say so to every caller, not only to callers with the
    // right password.
    await tokens.check();
    // An attempt counts as a failure until its password has been verified. If many sign-ins with the right password ran at the
    // same time, their unfinished attempts could reach the limit of failures. So the attempts of one network run one after the
    // other.
    const issued = await queue.run(caller.network ?? '', () => this.#attempt(credentials, caller));
    if (issued === undefined) {
      this.#failures.credentials.add(1);
      throw new DomainError('AUTH_INVALID_CREDENTIALS', 'Invalid credentials.');
    }
    return issued;
  }

  /** @returns undefined for invalid credentials */
  async #attempt(
    { username, email, password }: Credentials,
    caller: Caller,
  ): Promise<IssuedToken | undefined> {
    const { clock, signIns, passwords, audit } = this.#with;
    const keys: PresentedKeys = { nameKey: keyOf(username), emailKey: keyOf(email) };
    const counters = signInCounters(keys, caller.network);
    const counted = [...counters.identities, counters.network];
    // The attempt is counted before the password is verified, so that parallel guesses through several instances count too.
    const { user, wait } = await signIns.begin(keys, counted, clock.now());
    // An unknown name is not recorded: it may be a password that was typed into the wrong field.
    const subject = user?.name ?? null;
    if (wait > 0) {
      this.#failures.throttled.add(1);
      await audit.recordThrottled(caller, 'sign-in', subject, wait);
      throw new DomainError('RATE_LIMITED', 'Too many attempts to sign in. Try again later.', {
        retryAfter: wait,
      });
    }
    const uncount = () => signIns.uncount(counted);
    // One hash is computed whether or not the user exists, so that the response time does not reveal unknown users.
    const hash = user?.passwordHash ?? passwords.decoy;
    const matches = await uncountOnFailure(uncount, () => passwords.verify(hash, preparePassword(password)));
    if (user?.enabled && matches)
      return await uncountOnFailure(uncount, () => this.#beginSession(user, counters, caller));
    await audit.record(caller, 'sign-in', subject, 'refused');
    return undefined;
  }

  /** @returns undefined if the user was disabled or removed, or got another password, during the attempt */
  async #beginSession(
    user: NonNullable<BegunSignIn['user']>,
    { identities, network }: SignInCounters,
    caller: Caller,
  ): Promise<IssuedToken | undefined> {
    const { clock, ids, signIns, tokens, audit } = this.#with;
    const createdAt = clock.now();
    const validFrom = Math.floor(createdAt / 1000);
    const grant: TokenGrant = {
      tokenId: ids.next(),
      subject: user.id,
      sessionId: ids.next(),
      level: BASIC_TOKEN_LEVEL,
      validFrom,
      validTo: validFrom + this.#settings.tokenDuration,
    };
    const { sessionId, validTo } = grant;
    const token = await tokens.issue(grant);
    const begun = await signIns.finish(
      {
        session: { id: sessionId, userId: user.id, createdAt, validTo, address: caller.address },
        passwordHash: user.passwordHash,
        cleared: identities,
        // Only this attempt is removed from the counter of the network, so that a successful sign-in does not clear earlier
        // failures from this network.
        uncounted: [network],
      },
      [
        audit.event({ ...caller, actor: user.name }, 'sign-in', user.name),
        audit.event(caller, 'sign-in', user.name, 'refused'),
      ],
    );
    return begun ? describeToken(token, grant) : undefined;
  }
}

const keyOf = (identity: string | null) => (identity === null ? null : identityKey(identity));
