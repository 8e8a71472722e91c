import { z } from 'zod';
import { IntrospectToken } from '#application/accounts/sessions/introspect-token.js';
import { type AnyEndpoint, documentEndpoint } from '../core/endpoint.js';
import type { InternalContext } from './internal-context.js';

const BODY = z.object({
  token: z.string().min(1).max(16_384),
  token_type_hint: z.string().max(16_384).optional().describe('Ignored'),
});

const REPLY = z.strictObject({
  active: z.boolean(),
  sub: z.string().optional().describe('Identifier of the user'),
  username: z.string().optional(),
  token_type: z.literal('Bearer').optional(),
  iat: z.int().optional().describe('Seconds since 1970-01-01T00:00:00Z'),
  nbf: z.int().optional(),
  exp: z.int().optional(),
  jti: z.string().optional(),
  sid: z.string().optional().describe('Identifier of the session'),
  token_level: z.int().optional(),
  administrator: z.boolean().optional(),
});

export function introspectTokenEndpoint({ useCase }: InternalContext): AnyEndpoint {
  const introspectToken = useCase(IntrospectToken);
  return documentEndpoint({
    method: 'POST',
    path: '/v1/tokens/introspect',
    summary: 'Introspect a token',
    description:
      'Tells whether a token of the external API is valid now, and who its user is (RFC 7662). Programs do not need ' +
      'to parse the token.',
    access: 'public',
    isSecret: true,
    body: {
      kind: 'form',
      schema: BODY,
      example: { token: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' },
      limit: 16_384,
    },
    success: {
      kind: 'document',
      status: 200,
      description: 'If `active` is false, there are no other fields.',
      schema: REPLY,
    },
    errors: ['REQUEST_INVALID', 'AUTH_NOT_READY_YET', 'SERVICE_UNAVAILABLE'],
    call: async ({ body }) => {
      const principal = await introspectToken.execute(body);
      if (principal === undefined) return { active: false };
      return {
        active: true,
        sub: principal.userId,
        username: principal.userName,
        token_type: 'Bearer',
        iat: principal.validFrom,
        nbf: principal.validFrom,
        exp: principal.validTo,
        jti: principal.tokenId,
        sid: principal.sessionId,
        token_level: principal.level,
        administrator: principal.administrator,
      };
    },
  });
}
