import { z } from 'zod';
import { Authenticate } from '#application/accounts/sessions/authenticate.js';
import { DOCUMENTED_AUTH_ERRORS } from '../../core/documented-errors.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { passwordText, unicodeText } from './password.js';
import { tokenReply, toTokenReply } from './sessions.js';

/** Largest number of characters in a user name or an email. No valid address is longer (RFC 5321 allows 320 octets). */
const MAX_IDENTITY = 320;

const identity = (description: string) =>
  unicodeText().min(1).max(MAX_IDENTITY).nullable().default(null).describe(description);

const credentials = z
  .strictObject({
    username: identity('User name; null if the email is given'),
    email: identity('Email address; null if the user name is given'),
    password: passwordText(),
  })
  .refine(
    ({ username, email }) => username !== null || email !== null,
    'Either username or email must be given',
  );

export function authenticateEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const authenticate = useCase(Authenticate);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/auth/authenticate/',
    operationId: 'authenticate',
    summary: 'Sign in',
    description:
      'Exchanges a user name or an email, together with a password, for a basic token (level 0). If user name and email ' +
      'are given, they must belong to the same user. The reply is the same for an unknown user, a disabled user and a ' +
      'wrong password.',
    access: 'public',
    isSecret: true,
    ignoresQuery: true,
    body: {
      kind: 'json',
      schema: credentials,
      example: { username: 'ada', email: null, password: 'correct horse battery staple' },
      limit: 16_384,
    },
    success: {
      kind: 'json',
      status: 200,
      message: 'Authenticated.',
      schema: tokenReply,
    },
    errors: [
      'REQUEST_INVALID',
      'AUTH_INVALID_CREDENTIALS',
      'RATE_LIMITED',
      'AUTH_NOT_READY_YET',
      'SERVICE_UNAVAILABLE',
    ],
    documentedErrors: DOCUMENTED_AUTH_ERRORS,
    call: async ({ body, caller }) => toTokenReply(await authenticate.execute(body, caller)),
  });
}
