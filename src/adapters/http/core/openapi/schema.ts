import { z } from 'zod';
import { wireForms } from '../schemas.js';

export type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema of a zod schema, with references to schemas that have an id.
 *
 * @param define called with each schema that has an id
 */
export function toSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  define: (name: string, schema: Json) => void,
): Json {
  const { $schema: _dialect, $defs = {}, ...body } = z.toJSONSchema(schema, { io, override });
  for (const [name, definition] of Object.entries($defs)) {
    const { id: _name, ...fields } = definition;
    define(name, withReferences(fields));
  }
  return withReferences(body);
}

/** Replaces the form that zod derives, such as a string of digits, by the form that clients see, and removes redundant keywords. */
function override({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  const derived = jsonSchema as Record<string, unknown>;
  // The pattern of a date is removed, because it is long and the format says the same. The limits of safe integers are removed,
  // because they are the range of integers in JavaScript anyway.
  if (derived['format'] === 'date-time') delete derived['pattern'];
  if (derived['minimum'] === Number.MIN_SAFE_INTEGER) delete derived['minimum'];
  if (derived['maximum'] === Number.MAX_SAFE_INTEGER) delete derived['maximum'];
  const form = wireForms.get(zodSchema as z.ZodType);
  if (form === undefined) return;
  for (const key of Object.keys(derived)) if (key !== 'description') delete derived[key];
  Object.assign(derived, form);
}

function withReferences(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}
