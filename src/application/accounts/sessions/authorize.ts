import { ELEVATED_TOKEN_LEVEL, type TokenGrant, type TokenLevel } from '#domain/accounts/access-token.js';
import type { LiveSession, Principal } from '#domain/accounts/session.js';
import type { Role } from '#domain/accounts/user.js';
import { DomainError } from '#domain/domain-error.js';
import type { Clock } from '../../ports/clock.js';
import type { SessionStore } from '../../ports/session-store.js';
import type { TokenVerifier } from '../../ports/token-verifier.js';
import { notReady } from '../readiness.js';

/**
 * Largest age in milliseconds of cached session data. Cached data are used only if an action just reads data, and the token is
 * not elevated.
 */
const RECENT = 5000;

export interface AuthorizeInput {
  readonly token: string;
  /**
   * The lowest accepted level of the token: 0 for a token from a sign-in, 1 for an elevated token, for which the user has given
   * the password again.
   */
  readonly level: TokenLevel;
  /**
   * The lowest accepted role. Whether a writer may write a certain station is checked later, with the user data that `execute`
   * returns.
   */
  readonly role: Role;
}

/**
 * Verifies a token. Checks the level of the token (whether it is elevated, that is, whether the user has given the password
 * again) and the role of its user.
 */
export class Authorize {
  readonly #enabled: boolean;
  readonly #clock: Clock;
  readonly #tokens: TokenVerifier;
  readonly #sessions: SessionStore;

  constructor(enabled: boolean, clock: Clock, tokens: TokenVerifier, sessions: SessionStore) {
    this.#enabled = enabled;
    this.#clock = clock;
    this.#tokens = tokens;
    this.#sessions = sessions;
  }

  /**
   * Checks a token for an action. If the action needs only the role `reader`, and the token is not elevated, the data of the
   * session may be up to `RECENT` milliseconds old. In all other cases, current data are read from the store.
   *
   * @throws DomainError AUTH_TOKEN_INVALID, AUTH_ELEVATION_REQUIRED, AUTH_NOT_ALLOWED; AUTH_NOT_READY_YET if authentication is
   *   off; STORE_UNAVAILABLE, SIGNING_KEY_UNAVAILABLE
   */
  async execute({ token, level, role }: AuthorizeInput): Promise<Principal> {
    if (!this.#enabled) throw notReady();
    const grant = await this.#tokens.verify(token);
    const elevated = grant.level === ELEVATED_TOKEN_LEVEL;
    const maxAge = elevated || role !== 'reader' ? 0 : RECENT;
    const session = await this.#sessions.find(grant.sessionId, maxAge);
    if (session === undefined || !this.#isValid(grant, session)) throw invalidToken();
    if (grant.level < level) {
      throw new DomainError('AUTH_ELEVATION_REQUIRED', 'This action needs an elevated token.');
    }
    if (role === 'administrator' && !session.administrator) {
      throw new DomainError('AUTH_NOT_ALLOWED', 'Only administrators may do this.');
    }
    return {
      userId: session.userId,
      userName: session.userName,
      administrator: session.administrator,
      stations: session.stations,
      sessionId: session.id,
      tokenId: grant.tokenId,
      level: grant.level,
      validFrom: grant.validFrom,
      validTo: grant.validTo,
    };
  }

  #isValid(grant: TokenGrant, session: LiveSession): boolean {
    const now = this.#clock.now() / 1000;
    if (session.userId !== grant.subject || session.validTo <= now) return false;
    if (grant.level !== ELEVATED_TOKEN_LEVEL) return true;
    return session.elevation?.tokenId === grant.tokenId && session.elevation.validTo > now;
  }
}

export function invalidToken(cause?: unknown): DomainError {
  const message = 'The token is invalid or has expired. Sign in again.';
  return new DomainError('AUTH_TOKEN_INVALID', message, cause === undefined ? {} : { cause });
}
