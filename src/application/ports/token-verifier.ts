import type { TokenGrant } from '../../domain/accounts/access-token.js';

/** Reads access tokens. */
export interface TokenVerifier {
  /**
   * What a token grants, provided that it was signed by a key that holds and is valid now. Whether its session still
   * holds is not known here. Rejects with AUTH_TOKEN_INVALID; with SIGNING_KEY_UNAVAILABLE when there is no key.
   */
  verify(token: string): Promise<TokenGrant>;
}
