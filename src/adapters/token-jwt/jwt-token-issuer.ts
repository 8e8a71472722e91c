import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { TokenIssuer } from '../../application/ports/token-issuer.js';
import type { TokenGrant } from '../../domain/access-token.js';
import type { SigningKeyFile } from './signing-key-file.js';

/** Issuer and audience of every token: this service makes them for itself. */
export const ISSUER = 'weatherd';
export const AUDIENCE = 'weatherd';

/** Access tokens as RFC 9068 has them: `at+jwt`, signed with ES256. */
export class JwtTokenIssuer implements TokenIssuer {
  readonly name = 'signing key';
  readonly #keys: SigningKeyFile;

  constructor(keys: SigningKeyFile) {
    this.#keys = keys;
  }

  async issue(grant: TokenGrant): Promise<string> {
    const { id, privateKey } = await this.#keys.load();
    const claims = {
      iss: ISSUER,
      aud: AUDIENCE,
      sub: grant.subject,
      iat: grant.validFrom,
      nbf: grant.validFrom,
      exp: grant.validTo,
      jti: randomUUID(),
      sid: grant.sessionId,
      token_level: grant.level,
    };
    // A KeyObject: handed PEM text, jsonwebtoken parses it again for every token, at ten times the cost.
    return jwt.sign(claims, privateKey, {
      algorithm: 'ES256',
      keyid: id,
      header: { alg: 'ES256', typ: 'at+jwt' },
    });
  }

  async check(): Promise<void> {
    await this.#keys.load();
  }
}
