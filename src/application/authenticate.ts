import { BASIC_TOKEN_LEVEL } from '../domain/access-token.js';
import { DomainError, isDomainError } from '../domain/domain-error.js';
import { humanDuration } from '../domain/duration.js';
import { preparePassword } from '../domain/password.js';
import { identityKey, type User } from '../domain/user.js';
import type { Clock } from './ports/clock.js';
import type { CredentialStore } from './ports/credential-store.js';
import type { IdSource } from './ports/id-source.js';
import type { PasswordHasher } from './ports/password-hasher.js';
import type { TokenIssuer } from './ports/token-issuer.js';

export interface Credentials {
  readonly username: string | null;
  readonly email: string | null;
  readonly password: string;
}

export interface IssuedToken {
  readonly token: string;
  /** Seconds. */
  readonly duration: number;
  readonly durationHuman: string;
  /** Milliseconds since 1970-01-01T00:00:00Z, a whole second. */
  readonly validFrom: number;
  readonly validTo: number;
  readonly level: number;
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
  readonly passwords: PasswordHasher;
  readonly tokens: TokenIssuer;
}

/** Exchanges a user name or an email and a password for a basic token. */
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
   *   cannot reach its store; SERVICE_UNAVAILABLE when too many sign in at once
   */
  async execute(credentials: Credentials): Promise<IssuedToken> {
    const { username, email, password } = credentials;
    if (username === null && email === null) {
      throw new DomainError('REQUEST_INVALID', 'Either username or email must be given.');
    }
    if (!this.#settings.enabled) throw new DomainError('AUTH_NOT_READY_YET', NOT_READY);
    const { passwords, tokens } = this.#with;

    // The key is asked for first: a service that cannot sign says so to everyone, not only to whoever knows a
    // password.
    await ready(tokens.check());
    const user = await ready(this.#find(username, email));

    // One hash is computed whether or not there is such a user, so that time tells nothing.
    const matches = await passwords.verify(user?.passwordHash ?? passwords.decoy, preparePassword(password));
    if (user === undefined || !user.enabled || !matches) {
      throw new DomainError('AUTH_INVALID_CREDENTIALS', 'Invalid credentials.');
    }
    return await ready(this.#issue(user));
  }

  /** The user that every identity given names, or undefined. */
  async #find(username: string | null, email: string | null): Promise<User | undefined> {
    const { users } = this.#with;
    const byName = username === null ? null : await users.findByName(identityKey(username));
    const byEmail = email === null ? null : await users.findByEmail(identityKey(email));
    if (byName === null || byEmail === null) return byName ?? byEmail ?? undefined;
    return byName?.id === byEmail?.id ? byName : undefined;
  }

  async #issue(user: User): Promise<IssuedToken> {
    const { clock, ids, tokens } = this.#with;
    const duration = this.#settings.tokenDuration;
    const validFrom = Math.floor(clock.now() / 1000);
    const validTo = validFrom + duration;
    const level = BASIC_TOKEN_LEVEL;
    const token = await tokens.issue({ subject: user.id, sessionId: ids.next(), level, validFrom, validTo });
    return {
      token,
      duration,
      durationHuman: humanDuration(duration * 1000),
      validFrom: validFrom * 1000,
      validTo: validTo * 1000,
      level,
    };
  }
}

const NOT_READY = 'The authentication feature is not ready yet.';

/** Turns the failure of something that authentication stands on into AUTH_NOT_READY_YET, keeping its cause. */
async function ready<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!isDomainError(cause, 'STORE_UNAVAILABLE', 'SIGNING_KEY_UNAVAILABLE')) throw cause;
    throw new DomainError('AUTH_NOT_READY_YET', NOT_READY, { cause });
  }
}
