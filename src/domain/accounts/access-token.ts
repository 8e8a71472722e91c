/** Level of a token as it is first issued; elevated actions need a higher one. */
export const BASIC_TOKEN_LEVEL = 0;
/** Level of a token whose bearer has just given the password again. */
export const ELEVATED_TOKEN_LEVEL = 1;

export type TokenLevel = typeof BASIC_TOKEN_LEVEL | typeof ELEVATED_TOKEN_LEVEL;

/** Bounds of an elevation in seconds. */
export const ELEVATION_SECONDS = { initial: 300, max: 900 } as const;

/** Number of consecutive wrong passwords at elevation after which the session ends. */
export const MAX_ELEVATION_FAILURES = 5;

/** The claims of a token. */
export interface TokenGrant {
  /** Unique; no two tokens share it. */
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
