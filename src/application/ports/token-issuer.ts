import type { TokenGrant } from '#domain/accounts/access-token.js';
import type { Check } from './check.js';

/** Issues access tokens. Its check rejects if there is no usable signing key. */
export interface TokenIssuer extends Check {
  /** Returns a signed JWT with the claims of `grant`. Rejects with SIGNING_KEY_UNAVAILABLE if no key can sign. */
  issue(grant: TokenGrant): Promise<string>;
}
