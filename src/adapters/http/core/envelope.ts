import { z } from 'zod';
import { messageField } from './schemas.js';
import type { EitherSuccess, JsonSuccess } from './endpoint.js';

/** The schema of a JSON reply: the fields of the envelope, then the fields of the result. */
export function envelope(success: JsonSuccess<unknown> | EitherSuccess<unknown>): z.ZodObject {
  const mayCreate = success.kind === 'json' && success.created !== undefined;
  return z.strictObject({
    success: z.literal(true),
    code: z.literal(mayCreate ? [success.status, 201] : [success.status]).describe('HTTP status code'),
    message: messageField(success.message),
    ...success.schema.shape,
  });
}
