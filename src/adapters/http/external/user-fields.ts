import { z } from 'zod';
import type { PublicUser } from '../../../domain/user.js';
import { utcTimestamp } from '../schemas.js';

export const userFields = z.strictObject({
  name: z.string(),
  email: z.string().nullable(),
  enabled: z.boolean().describe('Whether the user may sign in'),
  administrator: z.boolean().describe('Whether elevated tokens of the user may manage users'),
  created_at: utcTimestamp(),
});

export function toUserFields(user: PublicUser): z.infer<typeof userFields> {
  const { name, email, enabled, administrator, createdAt } = user;
  return { name, email, enabled, administrator, created_at: new Date(createdAt).toISOString() };
}

/** The path parameter of routes to one user. */
export const userName = z.strictObject({ name: z.string().describe('User name, in any case') });
