import type { TokenGrant } from '#domain/accounts/access-token.js';

/** Verifies access tokens. */
export interface TokenVerifier {
  /**
   * Returns the claims of a token. Rejects with AUTH_TOKEN_INVALID if no valid key signed the token or if the token has expired,
   * and with SIGNING_KEY_UNAVAILABLE if there is no key. This method does not check whether the session of the token is valid.
   */
  verify(token: string): Promise<TokenGrant>;
}
