/** Level of a token from a sign-in. Some actions need `ELEVATED_TOKEN_LEVEL`. */
export const BASIC_TOKEN_LEVEL = 0;
/** Level of a token from an elevation, for which the user gave the password again. */
export const ELEVATED_TOKEN_LEVEL = 1;

export type TokenLevel = typeof BASIC_TOKEN_LEVEL | typeof ELEVATED_TOKEN_LEVEL;

/** Default (`initial`) and largest duration of an elevation, in seconds. */
export const ELEVATION_SECONDS = { initial: 300, max: 900 } as const;

/** Number of consecutive wrong passwords at elevation after which the session ends. */
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
