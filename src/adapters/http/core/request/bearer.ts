import type { IncomingMessage } from 'node:http';
import { BASIC_TOKEN_LEVEL } from '#domain/accounts/access-token.js';
import type { TokenAccess } from '../endpoint.js';
import { ProtocolError } from '../errors.js';

/**
 * The value of the header `Authorization` with a bearer token (RFC 6750, section 2.1). Tokens in a query or a body are not
 * accepted, because proxies may log them.
 */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * The beginning of `Authorization` with a bearer token. Values with other schemes are ignored, for example the password for a
 * proxy.
 */
const BEARER_SCHEME = /^Bearer(?: |$)/i;

/**
 * If an endpoint does not require a token, but a request has a token, the token must give at least this access. Every signed-in
 * user has it.
 */
export const ANY_USER: TokenAccess = { level: BASIC_TOKEN_LEVEL, role: 'reader' };

const NO_TOKEN =
  'This request needs a token. Sign in with POST /v1/auth/authenticate/ and send the token in the header ' +
  '"Authorization: Bearer TOKEN".';

/**
 * Returns the token of a request.
 *
 * @throws ProtocolError AUTH_TOKEN_INVALID if the request has no token. The header `WWW-Authenticate` then has no error code (RFC
 *   6750, section 3).
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
