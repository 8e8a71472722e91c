import type { TokenGrant } from '../../domain/accounts/access-token.js';
import type { Check } from './check.js';

/** Makes access tokens. Its check rejects when there is no usable signing key. */
export interface TokenIssuer extends Check {
  /** A signed JWT that carries `grant`. Rejects with SIGNING_KEY_UNAVAILABLE when there is nothing to sign with. */
  issue(grant: TokenGrant): Promise<string>;
}
