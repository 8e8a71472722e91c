import type { z } from 'zod';
import { ProtocolError } from '../errors.js';
import { parseWith } from '../validate.js';

/** Largest number of characters of a field of a query, a path or a form whose schema has no `max`, and of the name of a field. */
export const MAX_PARAMETER_LENGTH = 64;

/**
 * Parses the fields of a query, a path or a form. Their lengths come first, because the expressions of a schema read a text before
 * zod refuses it for its length.
 *
 * @param where the part of the request, for the message
 * @throws ProtocolError REQUEST_INVALID with the faults and their places, without quoting values
 */
export function parseFields<T>(
  schema: z.ZodObject & z.ZodType<T>,
  fields: Readonly<Record<string, string>>,
  where: 'query' | 'path' | 'body',
): T {
  const lengths = lengthsOf(schema);
  for (const name in fields) {
    const longest = lengths.get(name);
    // An unknown field is refused or ignored without being read.
    if (longest === undefined) assertShortName(name, where);
    else if ((fields[name] as string).length > longest) throw tooLong(`${where}.${name}`, longest);
  }
  return parseWith(schema, fields, where);
}

const known = new WeakMap<z.ZodObject, ReadonlyMap<string, number>>();

/** Largest number of characters of each field. */
export function lengthsOf(schema: z.ZodObject): ReadonlyMap<string, number> {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const lengths = new Map(
    Object.entries(schema.shape).map(([name, field]) => [name, longestText(field as z.ZodType)]),
  );
  known.set(schema, lengths);
  return lengths;
}

/** The `max` of the text that a schema begins with. */
function longestText(schema: z.core.$ZodType): number {
  const { innerType, in: input } = (schema as z.ZodType).def as {
    readonly innerType?: z.core.$ZodType;
    readonly in?: z.core.$ZodType;
  };
  const within = innerType ?? input;
  if (within !== undefined) return longestText(within);
  return (schema as Partial<z.ZodString>).maxLength ?? MAX_PARAMETER_LENGTH;
}

function assertShortName(name: string, where: string): void {
  if (name.length > MAX_PARAMETER_LENGTH)
    throw tooLong(`${where}: the name of a field`, MAX_PARAMETER_LENGTH);
}

function tooLong(what: string, longest: number): ProtocolError {
  return new ProtocolError('REQUEST_INVALID', `${what}: Must have at most ${longest} characters`);
}
