import { z } from 'zod';
import type { Authenticate } from '../../../application/authenticate.js';
import { PASSWORD_BYTES, utf8Length } from '../../../domain/password.js';
import { type AnyEndpoint, jsonEndpoint } from '../endpoint.js';
import { humanDuration, utcTimestamp } from '../schemas.js';

/** Characters of a user name or an email: more than any that can exist (RFC 5321 allows 320 octets). */
const MAX_IDENTITY = 320;

const text = () => z.string().refine((value) => value.isWellFormed(), 'Not valid Unicode');

const identity = (what: string) => text().min(1).max(MAX_IDENTITY).nullable().default(null).describe(what);

const credentials = z
  .strictObject({
    username: identity('User name; null when the email is given'),
    email: identity('Email address; null when the user name is given'),
    password: text()
      .min(1)
      .refine((value) => utf8Length(value) <= PASSWORD_BYTES.max, `Longer than ${PASSWORD_BYTES.max} bytes`)
      .describe('Taken exactly as it is: nothing is trimmed'),
  })
  .refine(
    ({ username, email }) => username !== null || email !== null,
    'Either username or email must be given',
  );

export function authenticateEndpoint(authenticate: Authenticate): AnyEndpoint {
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/auth/authenticate/',
    summary: 'Sign in',
    description:
      'Exchanges a user name or an email, and a password, for a basic token (level 0). When both are given they ' +
      'must belong to the same user. An unknown user, a disabled one and a wrong password get the same answer.',
    access: 'public',
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
      schema: z.strictObject({
        token: z.jwt().describe('To be sent as a bearer token'),
        info: z.strictObject({
          token_duration: z.int().positive().describe('Lifetime in seconds'),
          token_duration_human: humanDuration().describe('The same in words; a month is 30 days'),
          valid_from: utcTimestamp(),
          valid_to: utcTimestamp(),
          token_level: z.int().nonnegative().describe('0: basic'),
        }),
      }),
    },
    errors: ['REQUEST_INVALID', 'AUTH_INVALID_CREDENTIALS', 'AUTH_NOT_READY_YET', 'SERVICE_UNAVAILABLE'],
    call: async ({ body }) => {
      const issued = await authenticate.execute(body);
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
    },
  });
}
