import {
  BASIC_TOKEN_LEVEL,
  ELEVATED_TOKEN_LEVEL,
  ELEVATION_SECONDS,
  MAX_ELEVATION_FAILURES,
  type TokenGrant,
} from '#domain/accounts/access-token.js';
import type { Caller } from '#domain/accounts/audit-event.js';
import { preparePassword } from '#domain/accounts/password.js';
import type { Principal } from '#domain/accounts/session.js';
import { DomainError } from '#domain/domain-error.js';
import type { SessionStore } from '../../ports/session-store.js';
import { type AttemptDependencies, uncountOnFailure } from './attempt.js';
import { invalidToken } from './authorize.js';
import { describeToken, type IssuedToken } from './issued-token.js';

/** Value of Retry-After in seconds, for too many concurrent elevations of a session. */
const RETRY_AFTER = 1;

export interface ElevateDependencies extends AttemptDependencies {
  readonly sessions: SessionStore;
}

export interface ElevateInput {
  readonly password: string;
  /** Lifetime of the elevated token in seconds; null for the default lifetime. */
  readonly duration: number | null;
}

/**
 * Exchanges the token of a sign-in (a basic token) and the password for an elevated token of the same session, which some actions
 * need. The elevated token lasts a few minutes.
 */
export class ElevateToken {
  readonly #duration: number;
  readonly #with: ElevateDependencies;

  /** @param duration default lifetime in seconds */
  constructor(duration: number, dependencies: ElevateDependencies) {
    this.#duration = duration;
    this.#with = dependencies;
  }

  /**
   * Issues an elevated token, which some actions need. It expires no later than the basic token of the sign-in, and cannot be
   * prolonged. An earlier elevated token of the session becomes invalid.
   *
   * @throws DomainError REQUEST_INVALID for a duration out of bounds; AUTH_NOT_ALLOWED with an elevated token;
   *   AUTH_INVALID_CREDENTIALS for a wrong password (the fifth in a row ends the session); AUTH_TOKEN_INVALID if the session ends
   *   during the attempt; SERVICE_UNAVAILABLE if too many users sign in at the same time
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
    const { queue } = this.#with;
    // An attempt counts as a failure until its password has been verified. So that unfinished attempts do not reach the limit of
    // failures, the attempts of each network and of each session run one after the other.
    return await queue.run(caller.network ?? '', () =>
      queue.run(`session ${principal.sessionId}`, () =>
        this.#attempt(input.password, duration, principal, caller),
      ),
    );
  }

  async #attempt(
    password: string,
    duration: number,
    principal: Principal,
    caller: Caller,
  ): Promise<IssuedToken> {
    const { sessions, passwords } = this.#with;
    const { sessionId } = principal;
    // The attempt is counted before the password is verified, so that parallel guesses count too.
    const begun = await sessions.beginElevation(sessionId, MAX_ELEVATION_FAILURES);
    if (begun === undefined) throw invalidToken();
    const { attempts, passwordHash } = begun;
    if (attempts > MAX_ELEVATION_FAILURES) {
      // A session ends after `MAX_ELEVATION_FAILURES` wrong passwords in a row. This session has more attempts, but has not
      // ended. So some of its attempts have not failed yet: other instances are still verifying their passwords.
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'This session has too many elevations at the same time. Try again shortly.',
        { retryAfter: RETRY_AFTER },
      );
    }
    const uncount = () => sessions.uncountElevation(sessionId);
    const matches = await uncountOnFailure(uncount, () =>
      passwords.verify(passwordHash, preparePassword(password)),
    );
    if (!matches) return await this.#refuse(attempts, principal, caller);
    const issued = await uncountOnFailure(uncount, () => this.#elevate(duration, principal, caller));
    if (issued === undefined) throw invalidToken();
    return issued;
  }

  /** @throws DomainError AUTH_INVALID_CREDENTIALS */
  async #refuse(attempts: number, { sessionId, userName }: Principal, caller: Caller): Promise<never> {
    const { sessions, audit } = this.#with;
    if (attempts < MAX_ELEVATION_FAILURES) {
      await audit.record(caller, 'elevation', userName, 'refused');
    } else {
      await sessions.end(sessionId, [
        audit.event(caller, 'elevation', userName, 'refused'),
        audit.event(caller, 'revocation', `session ${sessionId}`),
      ]);
    }
    throw new DomainError('AUTH_INVALID_CREDENTIALS', 'Invalid credentials.');
  }

  /** @returns undefined if the session has ended during the attempt */
  async #elevate(duration: number, principal: Principal, caller: Caller): Promise<IssuedToken | undefined> {
    const { clock, ids, sessions, tokens, audit } = this.#with;
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
    const event = audit.event(caller, 'elevation', principal.userName);
    const elevated = await sessions.elevate(principal.sessionId, grant, event);
    return elevated ? describeToken(token, grant) : undefined;
  }
}
