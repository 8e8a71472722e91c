import { z } from 'zod';
import type { IssuedToken } from '#application/accounts/sessions/issued-token.js';
import { humanDurationText, utcTimestamp } from '../../core/schemas.js';

/** The documented reply of endpoints that issue a token. */
export const tokenReply = z.strictObject({
  token: z
    .string()
    .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    .describe('A JWT (RFC 9068); send it as a bearer token'),
  info: z.strictObject({
    token_duration: z.int().positive().describe('Lifetime in seconds'),
    token_duration_human: humanDurationText().describe('The lifetime as text; a month is 30 days'),
    valid_from: utcTimestamp(),
    valid_to: utcTimestamp(),
    token_level: z.int().nonnegative().describe('0: basic; 1: elevated'),
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
