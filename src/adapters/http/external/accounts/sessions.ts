import { z } from 'zod';
import { DropElevation } from '#application/accounts/sessions/drop-elevation.js';
import { ElevateToken } from '#application/accounts/sessions/elevate-token.js';
import type { IssuedToken } from '#application/accounts/sessions/issued-token.js';
import { REVOCATION_SCOPES, Revoke } from '#application/accounts/sessions/revoke.js';
import { ELEVATED_TOKEN_LEVEL, ELEVATION_SECONDS } from '#domain/accounts/access-token.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { humanDurationText, utcTimestamp } from '../../core/schemas.js';
import { SIGNED_IN } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { passwordText } from './password.js';
import { grantFields } from './users.js';

/** The documented reply of endpoints that issue a token. */
export const tokenReply = z.strictObject({
  token: z
    .string()
    .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    .describe('A JWT (RFC 9068). Send it as a bearer token'),
  info: z.strictObject({
    token_duration: z.int().positive().describe('Lifetime in seconds'),
    token_duration_human: humanDurationText().describe('Lifetime as text. A month has 30 days'),
    valid_from: utcTimestamp(),
    valid_to: utcTimestamp(),
    token_level: z.int().nonnegative().describe('0 is a basic token, 1 an elevated token'),
  }),
});

export function toTokenReply(issued: IssuedToken): z.infer<typeof tokenReply> {
  return {
    token: issued.token,
    info: {
      token_duration: issued.duration,
      token_duration_human: issued.durationHuman,
      valid_from: new Date(issued.validFrom).toISOString(),
      valid_to: new Date(issued.validTo).toISOString(),
      token_level: issued.level,
    },
  };
}

const GET_SESSION_REPLY = z.strictObject({
  user: z.string().describe('User name'),
  administrator: z.boolean().describe('Whether elevated tokens of the user may change everything'),
  stations: grantFields,
  elevated_until: utcTimestamp()
    .nullable()
    .describe('End of the validity of an elevated token; null for a basic token'),
});

export function getSessionEndpoint(): AnyEndpoint {
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/session',
    summary: 'Show the session of a token',
    description: 'Tells a front-end who has signed in, and what to offer to this user.',
    access: SIGNED_IN,
    isSecret: true,
    success: {
      kind: 'json',
      status: 200,
      message: 'The session.',
      schema: GET_SESSION_REPLY,
    },
    errors: [],
    call: ({ principal: { userName, administrator, stations, level, validTo } }) => ({
      user: userName,
      administrator,
      stations: stations === '*' ? stations : [...stations],
      elevated_until: level === ELEVATED_TOKEN_LEVEL ? new Date(validTo * 1000).toISOString() : null,
    }),
  });
}

const ELEVATE_BODY = z.strictObject({
  password: passwordText(),
  duration: z
    .int()
    .min(1)
    .max(ELEVATION_SECONDS.max)
    .nullable()
    .default(null)
    .describe('Lifetime in seconds; null for the default'),
});

export function elevateEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const elevateToken = useCase(ElevateToken);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/auth/elevate/',
    operationId: 'elevateToken',
    summary: 'Elevate a token',
    description:
      'Exchanges a basic token and the password for an elevated token (level 1) of the same session. The elevated token is ' +
      'valid for a few minutes. Using it does not extend this time. It replaces an earlier elevated token. Five consecutive ' +
      'wrong passwords end the session.',
    access: SIGNED_IN,
    isSecret: true,
    body: {
      kind: 'json',
      schema: ELEVATE_BODY,
      example: { password: 'correct horse battery staple', duration: null },
      limit: 16_384,
    },
    success: { kind: 'json', status: 200, message: 'Elevated.', schema: tokenReply },
    errors: ['REQUEST_INVALID', 'AUTH_INVALID_CREDENTIALS', 'AUTH_NOT_ALLOWED'],
    call: async ({ body, principal, caller }) =>
      toTokenReply(await elevateToken.execute(body, principal, caller)),
  });
}

export function dropEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const dropElevation = useCase(DropElevation);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/auth/drop/',
    operationId: 'dropElevation',
    summary: 'End an elevation',
    description:
      'Ends the elevation of the session before it expires. Send the basic or the elevated token. The request succeeds even ' +
      'if the session is not elevated.',
    access: SIGNED_IN,
    isSecret: true,
    success: { kind: 'json', status: 200, message: 'Dropped.', schema: z.strictObject({}) },
    errors: [],
    call: async ({ principal, caller }) => {
      await dropElevation.execute(principal, caller);
      return {};
    },
  });
}

const REVOKE_BODY = z.strictObject({ scope: z.enum(REVOCATION_SCOPES) });

const REVOKE_REPLY = z.strictObject({
  sessions: z.int().nonnegative().describe('Number of sessions that have ended'),
});

export function revokeEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const revoke = useCase(Revoke);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/auth/revoke/',
    operationId: 'revokeToken',
    summary: 'Sign out',
    description:
      'The scope `token` revokes the token of the request; a basic token is revoked together with its session. `session` ' +
      'revokes the session with all its tokens. `all` revokes every session of the user. Other instances of the service ' +
      'refuse the tokens within five seconds.',
    access: SIGNED_IN,
    isSecret: true,
    body: {
      kind: 'json',
      schema: REVOKE_BODY,
      example: { scope: 'token' },
      limit: 1024,
    },
    success: {
      kind: 'json',
      status: 200,
      message: 'Revoked.',
      schema: REVOKE_REPLY,
    },
    errors: ['REQUEST_INVALID'],
    call: async ({ body, principal, caller }) => ({
      sessions: await revoke.execute(body.scope, principal, caller),
    }),
  });
}
