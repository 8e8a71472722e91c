import type { TokenGrant } from '#domain/accounts/access-token.js';

/** Verifies access tokens. */
export interface TokenVerifier {
  /**
   * Returns the claims of a token. Rejects with AUTH_TOKEN_INVALID if no valid key signed it, or if it has expired; with
   * SIGNING_KEY_UNAVAILABLE if there is no key. The session of the token is not checked here.
   */
  verify(token: string): Promise<TokenGrant>;
}
