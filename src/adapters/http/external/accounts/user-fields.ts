import { z } from 'zod';
import type { PublicUser } from '#domain/accounts/user.js';
import { utcTimestamp } from '../../core/schemas.js';

export const grantFields = z
  .union([z.array(z.string()), z.literal('*')])
  .describe('Stations whose observations the user may write, by id, or `*` for all');

export const userFields = z
  .strictObject({
    name: z.string(),
    email: z.string().nullable(),
    enabled: z.boolean().describe('Whether the user may sign in'),
    administrator: z.boolean().describe('Whether elevated tokens of the user may change everything'),
    stations: grantFields,
    created_at: utcTimestamp(),
  })
  .meta({ id: 'User' });

export function toUserFields(user: PublicUser): z.infer<typeof userFields> {
  const { name, email, enabled, administrator, stations, createdAt } = user;
  const granted = stations === '*' ? stations : [...stations];
  return {
    name,
    email,
    enabled,
    administrator,
    stations: granted,
    created_at: new Date(createdAt).toISOString(),
  };
}

/** The path parameter of routes to one user. */
export const userName = z.strictObject({ name: z.string().max(128).describe('User name, in any case') });
