import { z } from 'zod';
import type { EitherSuccess, JsonSuccess } from './endpoint.js';

/** The first fields of every JSON reply. */
export function envelope(success: JsonSuccess<unknown> | EitherSuccess<unknown>): z.ZodObject {
  const mayMake = success.kind === 'json' && success.created !== undefined;
  return z.strictObject({
    success: z.literal(true),
    code: z.literal(mayMake ? [success.status, 201] : [success.status]).describe('HTTP status code'),
    message: z.literal(success.message),
    ...success.schema.shape,
  });
}
