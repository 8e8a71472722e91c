import { z } from 'zod';
import { ElevateToken } from '#application/accounts/sessions/elevate-token.js';
import { ELEVATION_SECONDS } from '#domain/accounts/access-token.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { SIGNED_IN } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { passwordText } from './password.js';
import { tokenReply, toTokenReply } from './token-reply.js';

export function elevateEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const elevateToken = useCase(ElevateToken);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/auth/elevate/',
    operationId: 'elevateToken',
    summary: 'Elevate a token',
    description:
      'Exchanges a basic token and the password for an elevated token (level 1) of the same session. It is ' +
      'valid for a few minutes, is not extended by use, and replaces an earlier one. Five consecutive wrong ' +
      'passwords end the session.',
    access: SIGNED_IN,
    isSecret: true,
    body: {
      kind: 'json',
      schema: z.strictObject({
        password: passwordText(),
        duration: z
          .int()
          .min(1)
          .max(ELEVATION_SECONDS.max)
          .nullable()
          .default(null)
          .describe('Seconds; null for the default'),
      }),
      example: { password: 'correct horse battery staple', duration: null },
      limit: 16_384,
    },
    success: { kind: 'json', status: 200, message: 'Elevated.', schema: tokenReply },
    errors: ['REQUEST_INVALID', 'AUTH_INVALID_CREDENTIALS', 'AUTH_NOT_ALLOWED'],
    call: async ({ body, principal, caller }) =>
      toTokenReply(await elevateToken.execute(body, principal, caller)),
  });
}
