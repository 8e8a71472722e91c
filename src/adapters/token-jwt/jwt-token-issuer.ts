import jwt from 'jsonwebtoken';
import type { TokenIssuer } from '../../application/ports/token-issuer.js';
import type { TokenGrant } from '../../domain/accounts/access-token.js';
import { ALGORITHM } from './key-pair.js';
import type { KeyRing } from './key-ring.js';

/** Issuer and audience of every token: this service makes them for itself. */
export const ISSUER = 'weatherd';
export const AUDIENCE = 'weatherd';
/** RFC 9068: so that no other kind of JWT is taken for an access token. */
export const TYPE = 'at+jwt';

/** Access tokens as RFC 9068 has them. */
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
    // A KeyObject: handed PEM text, jsonwebtoken parses it again for every token, at ten times the cost.
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
