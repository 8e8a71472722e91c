import { z } from 'zod';
import { REVOCATION_SCOPES, Revoke } from '#application/accounts/sessions/revoke.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { SIGNED_IN } from '../access.js';
import type { ExternalContext } from '../external-context.js';

export function revokeEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const revoke = useCase(Revoke);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/auth/revoke/',
    operationId: 'revokeToken',
    summary: 'Sign out',
    description:
      '`token` revokes the token of the request; a basic token is revoked with its session. `session` ' +
      'revokes the session with all its tokens, `all` every session of the user. It takes effect within ' +
      'five seconds on other instances.',
    access: SIGNED_IN,
    isSecret: true,
    body: {
      kind: 'json',
      schema: z.strictObject({ scope: z.enum(REVOCATION_SCOPES) }),
      example: { scope: 'token' },
      limit: 1024,
    },
    success: {
      kind: 'json',
      status: 200,
      message: 'Revoked.',
      schema: z.strictObject({
        sessions: z.int().nonnegative().describe('Number of sessions that have ended'),
      }),
    },
    errors: ['REQUEST_INVALID'],
    call: async ({ body, principal, caller }) => ({
      sessions: await revoke.execute(body.scope, principal, caller),
    }),
  });
}
