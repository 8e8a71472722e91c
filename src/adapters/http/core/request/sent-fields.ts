import type { z } from 'zod';
import { ProtocolError } from '../errors.js';
import { parseWith } from '../validate.js';

/** Largest number of characters of the name of a field, and of a value whose schema has no `max`. */
export const MAX_PARAMETER_LENGTH = 64;

/**
 * Parses the fields of a query, a path or a form. The lengths are checked first, because zod evaluates the regular expressions of a
 * schema even for texts that are too long.
 *
 * @param part the part of the request, for the message
 * @throws ProtocolError REQUEST_INVALID with the fields and their faults, without their values
 */
export function parseFields<T>(
  schema: z.ZodObject & z.ZodType<T>,
  fields: Readonly<Record<string, string>>,
  part: 'query' | 'path' | 'body',
): T {
  const lengths = lengthsOf(schema);
  for (const name in fields) {
    const max = lengths.get(name);
    // Only the length of the name of an unknown field is checked, because the value of such a field is never read.
    if (max === undefined) assertShortName(name, part);
    else if ((fields[name] as string).length > max) throw tooLong(`${part}.${name}`, max);
  }
  return parseWith(schema, fields, part);
}

const cache = new WeakMap<z.ZodObject, ReadonlyMap<string, number>>();

/** Largest number of characters of each field of a schema. */
export function lengthsOf(schema: z.ZodObject): ReadonlyMap<string, number> {
  const cached = cache.get(schema);
  if (cached !== undefined) return cached;
  const lengths = new Map(
    Object.entries(schema.shape).map(([name, field]) => [name, maxLengthOf(field as z.ZodType)]),
  );
  cache.set(schema, lengths);
  return lengths;
}

/** The `max` of the innermost text schema of a field. */
function maxLengthOf(schema: z.core.$ZodType): number {
  const { innerType, in: input } = (schema as z.ZodType).def as {
    readonly innerType?: z.core.$ZodType;
    readonly in?: z.core.$ZodType;
  };
  const inner = innerType ?? input;
  if (inner !== undefined) return maxLengthOf(inner);
  return (schema as Partial<z.ZodString>).maxLength ?? MAX_PARAMETER_LENGTH;
}

function assertShortName(name: string, part: string): void {
  if (name.length > MAX_PARAMETER_LENGTH) throw tooLong(`${part}: the name of a field`, MAX_PARAMETER_LENGTH);
}

function tooLong(field: string, max: number): ProtocolError {
  return new ProtocolError('REQUEST_INVALID', `${field}: Must have at most ${max} characters`);
}
