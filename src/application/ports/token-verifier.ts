import type { TokenGrant } from '#domain/accounts/access-token.js';

/** Verifies access tokens. */
export interface TokenVerifier {
  /**
   * The claims of a token, if a valid key signed it and it has not expired. Whether its session is valid is not checked
   * here. Rejects with AUTH_TOKEN_INVALID; with SIGNING_KEY_UNAVAILABLE if there is no key.
   */
  verify(token: string): Promise<TokenGrant>;
}
