import type { IncomingMessage } from 'node:http';
import { ProtocolError } from '../errors.js';

/** RFC 6750, section 2.1: the only place for a token. Tokens in queries and bodies would be logged by proxies. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

const NO_TOKEN =
  'This needs a token. Sign in with POST /v1/auth/authenticate/ and send its token in the header ' +
  '"Authorization: Bearer TOKEN".';

/**
 * The token that a request carries.
 *
 * @throws ProtocolError AUTH_TOKEN_INVALID with a challenge that names no error, for there was no attempt (section 3)
 */
export function bearerToken({ headers }: IncomingMessage): string {
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  if (token !== undefined) return token;
  throw new ProtocolError('AUTH_TOKEN_INVALID', NO_TOKEN, { 'www-authenticate': 'Bearer' });
}
