import type { IncomingMessage } from 'node:http';
import { ProtocolError } from '../errors.js';

/** RFC 6750, section 2.1. Tokens are accepted only in this header, because proxies log queries and bodies. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/** Other schemes, for example of a proxy that asks for a password, are no tokens. */
const BEARER_SCHEME = /^Bearer(?: |$)/i;

const NO_TOKEN =
  'This needs a token. Sign in with POST /v1/auth/authenticate/ and send its token in the header ' +
  '"Authorization: Bearer TOKEN".';

/**
 * Returns the token of a request.
 *
 * @throws ProtocolError AUTH_TOKEN_INVALID. Without a token the challenge has no error code (section 3).
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
