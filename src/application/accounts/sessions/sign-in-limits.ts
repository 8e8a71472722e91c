import type { AttemptCounter, AttemptLimit } from '../../../domain/accounts/attempts.js';
import type { PresentedKeys } from '../../ports/sign-in-store.js';

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

/** The counters of one attempt to sign in. */
export interface SignInCounters {
  /** Of the name and of the email that were presented. */
  readonly identities: readonly AttemptCounter[];
  /** Of all attempts from the network. */
  readonly network: AttemptCounter;
}

/**
 * Slows down guessing, for each network apart: whoever guesses from elsewhere does not lock the owner out.
 *
 * What counts is the name or the email that was presented, never the account behind it: a limit that a name and an email
 * share because they are of one user would tell that they are.
 */
export function signInCounters({ nameKey, emailKey }: PresentedKeys, network: string | null): SignInCounters {
  const from = network ?? '';
  return {
    identities: [...counterOf('name', nameKey, from), ...counterOf('email', emailKey, from)],
    network: { key: `network\n${from}`, limits: NETWORK_LIMITS },
  };
}

function counterOf(kind: string, key: string | null, network: string): AttemptCounter[] {
  return key === null ? [] : [{ key: `${kind}\n${network}\n${key}`, limits: SIGN_IN_LIMITS }];
}
