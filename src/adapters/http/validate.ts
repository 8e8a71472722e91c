import type { z } from 'zod';
import { ProtocolError } from './errors.js';

/**
 * `value` as `schema` has it.
 *
 * @param where what the value is, for the message: `body`, `query`, `path`
 * @throws ProtocolError REQUEST_INVALID that names every fault and its place, and quotes no value
 */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`);
  throw new ProtocolError('REQUEST_INVALID', faults.join('; '));
}
