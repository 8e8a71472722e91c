import {
  BASIC_TOKEN_LEVEL,
  ELEVATED_TOKEN_LEVEL,
  ELEVATION_SECONDS,
  MAX_ELEVATION_FAILURES,
  type TokenGrant,
} from '../../../domain/accounts/access-token.js';
import type { Caller } from '../../../domain/accounts/audit-event.js';
import { preparePassword } from '../../../domain/accounts/password.js';
import type { Principal } from '../../../domain/accounts/session.js';
import type { User } from '../../../domain/accounts/user.js';
import { DomainError } from '../../../domain/domain-error.js';
import type { Clock } from '../../ports/clock.js';
import type { CredentialStore } from '../../ports/credential-store.js';
import type { IdSource } from '../../ports/id-source.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';
import type { SessionStore } from '../../ports/session-store.js';
import type { TokenIssuer } from '../../ports/token-issuer.js';
import type { AuditTrail } from '../audit-trail.js';
import { invalidToken } from './authorize.js';
import { describeToken, type IssuedToken } from './issued-token.js';
import type { Turns } from './turns.js';

/** Value of Retry-After, in seconds, where too many elevations of a session are under way. */
const RETRY_AFTER = 1;

export interface ElevateDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly users: CredentialStore;
  readonly sessions: SessionStore;
  readonly passwords: PasswordHasher;
  readonly tokens: TokenIssuer;
  readonly audit: AuditTrail;
  readonly turns: Turns;
}

export interface ElevateInput {
  readonly password: string;
  /** Lifetime in seconds; null for the configured one. */
  readonly duration: number | null;
}

/** Exchanges a basic token and the password for an elevated token of the same session, which lasts a few minutes. */
export class ElevateToken {
  readonly #duration: number;
  readonly #with: ElevateDependencies;

  /** @param duration lifetime in seconds where the caller names none */
  constructor(duration: number, dependencies: ElevateDependencies) {
    this.#duration = duration;
    this.#with = dependencies;
  }

  /**
   * The token never outlives the basic one and is never prolonged; an elevation that was there before ends.
   *
   * @throws DomainError REQUEST_INVALID for a duration out of bounds; AUTH_NOT_ALLOWED with an elevated token;
   *   AUTH_INVALID_CREDENTIALS for a wrong password, the fifth of which in a row ends the session;
   *   AUTH_TOKEN_INVALID when the session ends meanwhile; SERVICE_UNAVAILABLE when too many sign in at once
   */
  async execute(input: ElevateInput, principal: Principal, caller: Caller): Promise<IssuedToken> {
    const duration = input.duration ?? this.#duration;
    if (!Number.isInteger(duration) || duration < 1 || duration > ELEVATION_SECONDS.max) {
      throw new DomainError(
        'REQUEST_INVALID',
        `An elevation lasts 1 to ${ELEVATION_SECONDS.max} whole seconds.`,
      );
    }
    if (principal.level !== BASIC_TOKEN_LEVEL) {
      throw new DomainError('AUTH_NOT_ALLOWED', 'An elevated token cannot be elevated.');
    }
    const { turns, audit } = this.#with;
    // One attempt at a time for each network and each session: attempts that are under way must not count as failures.
    const issued = await turns.run(caller.network ?? '', () =>
      turns.run(`session ${principal.sessionId}`, async () => {
        await this.#assertPassword(input.password, principal, caller);
        return await this.#elevate(duration, principal);
      }),
    );
    await audit.record(caller, 'elevation', principal.userName);
    return issued;
  }

  async #assertPassword(password: string, principal: Principal, caller: Caller): Promise<void> {
    const { sessions, users, audit } = this.#with;
    const { sessionId, userId, userName } = principal;
    // Counted before the password is verified, so that parallel guesses are counted too.
    const attempts = await sessions.countElevationAttempt(sessionId);
    if (attempts === 0) throw invalidToken();
    if (attempts > MAX_ELEVATION_FAILURES) {
      // The session still exists, so the other attempts have not failed: other instances are verifying them.
      await sessions.forgetElevationAttempt(sessionId);
      throw new DomainError('SERVICE_UNAVAILABLE', 'Too many elevations at once. Try again shortly.', {
        retryAfter: RETRY_AFTER,
      });
    }
    const user = await users.findById(userId);
    if (user !== undefined && (await this.#matches(user, password, sessionId))) return;
    await audit.record(caller, 'elevation', userName, 'refused');
    if (attempts >= MAX_ELEVATION_FAILURES) {
      await sessions.end(sessionId);
      await audit.record(caller, 'revocation', `session ${sessionId}`);
    }
    throw new DomainError('AUTH_INVALID_CREDENTIALS', 'Invalid credentials.');
  }

  async #matches(user: User, password: string, sessionId: string): Promise<boolean> {
    try {
      return await this.#with.passwords.verify(user.passwordHash, preparePassword(password));
    } catch (error) {
      await this.#with.sessions.forgetElevationAttempt(sessionId);
      throw error;
    }
  }

  async #elevate(duration: number, principal: Principal): Promise<IssuedToken> {
    const { clock, ids, sessions, tokens } = this.#with;
    const validFrom = Math.floor(clock.now() / 1000);
    const grant: TokenGrant = {
      tokenId: ids.next(),
      subject: principal.userId,
      sessionId: principal.sessionId,
      level: ELEVATED_TOKEN_LEVEL,
      validFrom,
      validTo: Math.min(validFrom + duration, principal.validTo),
    };
    const token = await tokens.issue(grant);
    if (!(await sessions.elevate(principal.sessionId, grant))) throw invalidToken();
    return describeToken(token, grant);
  }
}
