/** Level of a token that a user gets at sign-in. Some actions need a token of `ELEVATED_TOKEN_LEVEL` instead. */
export const BASIC_TOKEN_LEVEL = 0;
/**
 * Level of an elevated token. A user who gives the password again gets such a token, which permits more actions for a few
 * minutes.
 */
export const ELEVATED_TOKEN_LEVEL = 1;

export type TokenLevel = typeof BASIC_TOKEN_LEVEL | typeof ELEVATED_TOKEN_LEVEL;

/** For how many seconds an elevated token (see `ELEVATED_TOKEN_LEVEL`) is valid: by default (`initial`), and at most (`max`). */
export const ELEVATION_SECONDS = { initial: 300, max: 900 } as const;

/**
 * A user gives the password again to get an elevated token. After this number of consecutive wrong passwords the session ends.
 */
export const MAX_ELEVATION_FAILURES = 5;

/** The claims of a token. */
export interface TokenGrant {
  /** Unique among all tokens. */
  readonly tokenId: string;
  /** `User.id` of the bearer. */
  readonly subject: string;
  /** Identifier of the sign-in that the token belongs to. */
  readonly sessionId: string;
  readonly level: TokenLevel;
  /** Start of validity, in whole seconds since 1970-01-01T00:00:00Z. */
  readonly validFrom: number;
  /** End of validity, in whole seconds since 1970-01-01T00:00:00Z. */
  readonly validTo: number;
}
