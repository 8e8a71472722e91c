import jwt from 'jsonwebtoken';
import type { TokenIssuer } from '#application/ports/token-issuer.js';
import type { TokenGrant } from '#domain/accounts/access-token.js';
import { ALGORITHM } from './key-pair.js';
import type { KeyRing } from './key-ring.js';

/** Issuer and audience of every token. Both are constant, because only this service uses the tokens. */
export const ISSUER = 'weatherd';
export const AUDIENCE = 'weatherd';
/** Type of access tokens (RFC 9068). It prevents other kinds of JWT from being accepted as access tokens. */
export const TYPE = 'at+jwt';

/** Issues access tokens in the form of RFC 9068. */
export class JwtTokenIssuer implements TokenIssuer {
  readonly name = 'signing key';
  readonly #keys: KeyRing;

  constructor(keys: KeyRing) {
    this.#keys = keys;
  }

  async issue(grant: TokenGrant): Promise<string> {
    const { id, pair } = await this.#keys.signer();
    const claims = {
      iss: ISSUER,
      aud: AUDIENCE,
      sub: grant.subject,
      iat: grant.validFrom,
      nbf: grant.validFrom,
      exp: grant.validTo,
      jti: grant.tokenId,
      sid: grant.sessionId,
      token_level: grant.level,
    };
    // The key is a KeyObject, because jsonwebtoken would parse PEM text again for every token, at ten times the cost.
    return jwt.sign(claims, pair.privateKey, {
      algorithm: ALGORITHM,
      keyid: id,
      header: { alg: ALGORITHM, typ: TYPE },
    });
  }

  check(): Promise<string | undefined> {
    return this.#keys.check();
  }
}
