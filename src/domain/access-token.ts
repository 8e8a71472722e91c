/** Level of a token as it is first issued; elevated actions need a higher one. */
export const BASIC_TOKEN_LEVEL = 0;

/** What a token says of its bearer. */
export interface TokenGrant {
  /** `User.id` of the bearer. */
  readonly subject: string;
  /** Identifier of the sign-in that the token belongs to. */
  readonly sessionId: string;
  readonly level: number;
  /** Whole seconds since 1970-01-01T00:00:00Z from which the token holds. */
  readonly validFrom: number;
  /** Whole seconds since 1970-01-01T00:00:00Z from which it no longer does. */
  readonly validTo: number;
}
