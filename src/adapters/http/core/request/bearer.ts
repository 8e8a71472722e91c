import type { IncomingMessage } from 'node:http';
import { ProtocolError } from '../errors.js';

/** The header Authorization with a token (RFC 6750, section 2.1). Queries and bodies with tokens are refused, because proxies log them. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/** Other schemes are ignored, for example of a proxy that asks for a password. */
const BEARER_SCHEME = /^Bearer(?: |$)/i;

const NO_TOKEN =
  'This request needs a token. Sign in with POST /v1/auth/authenticate/ and send the token in the header ' +
  '"Authorization: Bearer TOKEN".';

/**
 * Returns the token of a request.
 *
 * @throws ProtocolError AUTH_TOKEN_INVALID if there is none. The challenge then has no error code (RFC 6750, section 3).
 */
export function bearerToken({ headers }: IncomingMessage): string {
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  if (token !== undefined) return token;
  throw new ProtocolError('AUTH_TOKEN_INVALID', NO_TOKEN, { 'www-authenticate': 'Bearer' });
}

/** Whether a request has a token, valid or not. */
export function hasBearer({ headers: { authorization } }: IncomingMessage): boolean {
  return authorization !== undefined && BEARER_SCHEME.test(authorization);
}
