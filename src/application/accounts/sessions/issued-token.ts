import type { TokenGrant } from '#domain/accounts/access-token.js';
import { humanDuration } from '#domain/duration.js';

/**
 * A token with its level, validity and duration. The level is 0 for a token of a sign-in, and 1 for an elevated token, for which
 * the user gave the password again.
 */
export interface IssuedToken {
  readonly token: string;
  /** Lifetime of the token in seconds. */
  readonly duration: number;
  readonly durationHuman: string;
  /** Start of the validity, in milliseconds since 1970-01-01T00:00:00Z. It is a whole second. */
  readonly validFrom: number;
  readonly validTo: number;
  readonly level: number;
}

export function describeToken(token: string, { validFrom, validTo, level }: TokenGrant): IssuedToken {
  const duration = validTo - validFrom;
  return {
    token,
    duration,
    durationHuman: humanDuration(duration * 1000),
    validFrom: validFrom * 1000,
    validTo: validTo * 1000,
    level,
  };
}
