import { z } from 'zod';
import { wireForms } from '../schemas.js';

export type Json = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of a schema. Schemas with an id are added to `define` and become references.
 */
export function toSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  define: (name: string, schema: Json) => void,
): Json {
  const { $schema: _dialect, $defs = {}, ...rest } = z.toJSONSchema(schema, { io, override });
  for (const [name, definition] of Object.entries($defs)) {
    const { id: _name, ...fields } = definition;
    define(name, withReferences(fields));
  }
  return withReferences(rest);
}

/** Replaces the form that zod derives, such as a text of digits, by the form that a client sees, and shortens it. */
function override({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  const derived = jsonSchema as Record<string, unknown>;
  // The format says more to a reader than the pattern of all dates, and JSON has no larger integers.
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
