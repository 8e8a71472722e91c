import type { AttemptCounter, AttemptLimit } from '#domain/accounts/attempts.js';
import type { PresentedKeys } from '../../ports/sign-in-store.js';

/**
 * Limits of the attempts from one network (an address, or an IPv6 /64) with one name or email: 5 in a minute, 10 in a quarter of
 * an hour, and 20 in an hour. After so many attempts, the next one must wait until the minute, the quarter or the hour has passed
 * since the first attempt. So an attacker can make 20 guesses an hour in the long run.
 */
export const SIGN_IN_LIMITS: readonly AttemptLimit[] = [
  { attempts: 5, seconds: 60 },
  { attempts: 10, seconds: 900 },
  { attempts: 20, seconds: 3600 },
];

/**
 * Limits of the attempts from one network on all accounts. The limits are high enough for four people behind one address who all
 * forget their password at the same time. An attacker who tries one password on many accounts can try 120 accounts an hour.
 */
export const NETWORK_LIMITS: readonly AttemptLimit[] = [
  { attempts: 20, seconds: 60 },
  { attempts: 40, seconds: 900 },
  { attempts: 120, seconds: 3600 },
];

/** The counters of one attempt to sign in. */
export interface SignInCounters {
  /** Counters of the presented name and of the presented email. */
  readonly identities: readonly AttemptCounter[];
  /** Counter of all attempts from the network. */
  readonly network: AttemptCounter;
}

/**
 * Returns the counters that slow down guessing. Each network has its own counters, so that guesses from one network do not lock
 * out the owner of the account in another network.
 *
 * Attempts are counted for the presented name or email and not for the account. A common count for a name and an email would
 * reveal that both belong to one user.
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
