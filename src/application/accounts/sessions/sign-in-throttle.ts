import type { AttemptCounter, AttemptLimit } from '../../../domain/accounts/attempts.js';
import { identityKey } from '../../../domain/accounts/user.js';
import { DomainError, isDomainError } from '../../../domain/domain-error.js';
import type { Throttle } from '../../ports/throttle.js';
import type { Turns } from './turns.js';

/**
 * What one address, or one /64 of IPv6, may try on one name or one email. The wait rises from a minute over a quarter of
 * an hour to its bound, an hour; in the long run that is 20 guesses an hour.
 */
export const SIGN_IN_LIMITS: readonly AttemptLimit[] = [
  { attempts: 5, seconds: 60 },
  { attempts: 10, seconds: 900 },
  { attempts: 20, seconds: 3600 },
];

/**
 * Failures of one network over all accounts: room for four people behind one address who all forget their password at
 * once, and 120 accounts an hour for somebody who tries one password on many.
 */
export const NETWORK_LIMITS: readonly AttemptLimit[] = [
  { attempts: 20, seconds: 60 },
  { attempts: 40, seconds: 900 },
  { attempts: 120, seconds: 3600 },
];

/** The user name and the email of a sign-in. */
export interface PresentedIdentity {
  readonly username: string | null;
  readonly email: string | null;
}

/**
 * Slows down guessing, for each network apart: whoever guesses from elsewhere does not lock the owner out.
 *
 * What counts is the name or the email that was presented, never the account behind it: a limit that a name and an email
 * share because they are of one user would tell that they are. Sign-ins from one network take turns, so that many at
 * once with the right password are no guesses.
 */
export class SignInThrottle {
  readonly #throttle: Throttle;
  readonly #turns: Turns;

  constructor(throttle: Throttle, turns: Turns) {
    this.#throttle = throttle;
    this.#turns = turns;
  }

  /**
   * Runs one sign-in. Only a rejection with AUTH_INVALID_CREDENTIALS counts as a guess; a success forgets those before
   * on the same name.
   *
   * @throws DomainError RATE_LIMITED with `retryAfter` after too many guesses; SERVICE_UNAVAILABLE when too many wait;
   *   and whatever `signIn` rejects with
   */
  guard<T>(presented: PresentedIdentity, network: string | null, signIn: () => Promise<T>): Promise<T> {
    const from = network ?? '';
    const identities = [
      ...counterOf('name', presented.username, from),
      ...counterOf('email', presented.email, from),
    ];
    const all: AttemptCounter = { key: `network\n${from}`, limits: NETWORK_LIMITS };
    return this.#turns.run(from, () => this.#attempt(identities, all, signIn));
  }

  async #attempt<T>(
    identities: readonly AttemptCounter[],
    network: AttemptCounter,
    signIn: () => Promise<T>,
  ): Promise<T> {
    // Counted before the outcome is known, so that parallel guesses through several instances are counted too.
    const wait = await this.#throttle.count([...identities, network]);
    if (wait > 0) {
      throw new DomainError('RATE_LIMITED', 'Too many attempts to sign in. Try again later.', {
        retryAfter: wait,
      });
    }
    try {
      const result = await signIn();
      // A success takes back only its own attempt: otherwise a successful sign-in would clear the failures of the network.
      await this.#throttle.clear(identities, [network]);
      return result;
    } catch (error) {
      // A failure of the service is not a guess.
      if (!isDomainError(error, 'AUTH_INVALID_CREDENTIALS'))
        await this.#throttle.forget([...identities, network]);
      throw error;
    }
  }
}

function counterOf(kind: string, identity: string | null, network: string): AttemptCounter[] {
  if (identity === null) return [];
  return [{ key: `${kind}\n${network}\n${identityKey(identity)}`, limits: SIGN_IN_LIMITS }];
}
