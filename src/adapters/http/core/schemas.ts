import { z } from 'zod';

// This file has the schemas of fields that several endpoints have.

const HUMAN_DURATION = /^\d+ months \d+ days \d+ hours \d+ minutes \d+ seconds \d+ milliseconds$/;

/** `<n> months <n> days <n> hours <n> minutes <n> seconds <n> milliseconds`. All six numbers are always present. */
export const humanDurationText = () => z.string().regex(HUMAN_DURATION);

/** ISO 8601 in UTC with milliseconds: `2026-11-20T12:00:00.000Z`. */
export const utcTimestamp = () => z.iso.datetime({ precision: 3 });

/** The fields of the documented envelope, which are the first fields of a JSON reply. The caller adds the other fields. */
export function envelopeFields(message: string) {
  return { success: z.literal(true), code: z.literal(200), message: messageField(message) };
}

/** The message for people. Its text may change, so it is not part of the schema. */
export const messageField = (message: string) => z.string().describe(`For people: ${message}`);

/** Maps a zod schema to the JSON Schema in the OpenAPI document. This JSON Schema replaces the JSON Schema that zod derives. */
export const wireForms = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

/**
 * Documents a schema in the form that clients see. For example, a number in a query is received as text, but documented as a
 * number. The function must be called after `describe` and `meta` of the same schema, because both return a copy that lacks the
 * form.
 */
export function documentedAs<Schema extends z.ZodType>(
  form: Readonly<Record<string, unknown>>,
  schema: Schema,
): Schema {
  wireForms.set(schema, form);
  return schema;
}
