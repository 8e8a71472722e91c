import { BASIC_TOKEN_LEVEL, type TokenGrant } from '../../../domain/accounts/access-token.js';
import type { Caller } from '../../../domain/accounts/audit-event.js';
import { preparePassword } from '../../../domain/accounts/password.js';
import { identityKey, type User } from '../../../domain/accounts/user.js';
import { DomainError, isDomainError } from '../../../domain/domain-error.js';
import type { Clock } from '../../ports/clock.js';
import type { CredentialStore } from '../../ports/credential-store.js';
import type { IdSource } from '../../ports/id-source.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';
import type { SessionStore } from '../../ports/session-store.js';
import type { TokenIssuer } from '../../ports/token-issuer.js';
import type { AuditTrail } from '../audit-trail.js';
import { asNotReady, notReady } from '../readiness.js';
import { describeToken, type IssuedToken } from './issued-token.js';
import type { SignInThrottle } from './sign-in-throttle.js';

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

export interface AuthenticateDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly users: CredentialStore;
  readonly sessions: SessionStore;
  readonly passwords: PasswordHasher;
  readonly tokens: TokenIssuer;
  readonly throttle: SignInThrottle;
  readonly audit: AuditTrail;
}

/** Exchanges a user name or an email and a password for a basic token, and begins a session. */
export class Authenticate {
  readonly #settings: AuthenticateSettings;
  readonly #with: AuthenticateDependencies;

  constructor(settings: AuthenticateSettings, dependencies: AuthenticateDependencies) {
    this.#settings = settings;
    this.#with = dependencies;
  }

  /**
   * @throws DomainError REQUEST_INVALID without a user name and an email; AUTH_INVALID_CREDENTIALS for an unknown
   *   user, a disabled one and a wrong password alike; AUTH_NOT_READY_YET when the feature is off, has no key or
   *   cannot reach its store; RATE_LIMITED after too many failures on the name or the email, or on all, from the caller's
   *   network;
   *   SERVICE_UNAVAILABLE when too many sign in at once
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
    const { tokens, throttle, audit } = this.#with;
    // The signing key is checked first: a service that cannot sign must say so to every caller, not only to those with the
    // right password.
    await tokens.check();
    const user = await this.#find(credentials);
    // An unknown name is not recorded: it may be a password that was typed into the wrong field.
    const subject = user?.name ?? null;
    try {
      const signIn = () => this.#verify(user, credentials.password, caller);
      const issued = await throttle.guard(credentials, caller.network, signIn);
      await audit.record({ ...caller, actor: subject }, 'sign-in', subject);
      return issued;
    } catch (error) {
      if (isDomainError(error, 'RATE_LIMITED'))
        await audit.recordThrottled(caller, 'sign-in', subject, error.retryAfter ?? 0);
      if (isDomainError(error, 'AUTH_INVALID_CREDENTIALS'))
        await audit.record(caller, 'sign-in', subject, 'refused');
      throw error;
    }
  }

  /** The user to whom all given identities belong, or undefined. */
  async #find({ username, email }: Credentials): Promise<User | undefined> {
    const { users } = this.#with;
    const byName = username === null ? null : await users.findByName(identityKey(username));
    const byEmail = email === null ? null : await users.findByEmail(identityKey(email));
    if (byName === null || byEmail === null) return byName ?? byEmail ?? undefined;
    return byName?.id === byEmail?.id ? byName : undefined;
  }

  /** Computes one hash whether or not the user exists, so that the response time does not tell the two cases apart. */
  async #verify(user: User | undefined, password: string, caller: Caller): Promise<IssuedToken> {
    const { passwords } = this.#with;
    const matches = await passwords.verify(user?.passwordHash ?? passwords.decoy, preparePassword(password));
    const issued = user?.enabled && matches ? await this.#beginSession(user, caller) : undefined;
    if (issued === undefined) throw new DomainError('AUTH_INVALID_CREDENTIALS', 'Invalid credentials.');
    return issued;
  }

  /** @returns undefined if the user was disabled or removed or got another password meanwhile */
  async #beginSession(user: User, caller: Caller): Promise<IssuedToken | undefined> {
    const { clock, ids, sessions, tokens } = this.#with;
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
    const session = { id: sessionId, userId: user.id, createdAt, validTo, address: caller.address };
    const token = await tokens.issue(grant);
    const added = await sessions.add({ ...session, elevation: null }, user.passwordHash);
    return added ? describeToken(token, grant) : undefined;
  }
}
