import { z } from 'zod';

/** Fields that several endpoints have. */

const HUMAN_DURATION = /^\d+ months \d+ days \d+ hours \d+ minutes \d+ seconds \d+ milliseconds$/;

/** `<n> months <n> days <n> hours <n> minutes <n> seconds <n> milliseconds`, all six always present. */
export const humanDurationText = () => z.string().regex(HUMAN_DURATION);

/** ISO 8601 in UTC with milliseconds: `2026-11-20T12:00:00.000Z`. */
export const utcTimestamp = () => z.iso.datetime({ precision: 3 });

/** The fields of the documented envelope, for a reply with further fields. */
export function envelopeFields<Message extends string>(message: Message) {
  return { success: z.literal(true), code: z.literal(200), message: z.literal(message) };
}

/** Forms of values in the OpenAPI document that differ from the JSON Schema of their zod schema. */
export const wireForms = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

/**
 * Documents a schema as the form that clients see. A parameter of a query, for example, is text for the service, but is
 * documented as the number that this text is. A copy of the schema, which `describe` and `meta` make, has no such form.
 */
export function documentedAs<Schema extends z.ZodType>(
  form: Readonly<Record<string, unknown>>,
  schema: Schema,
): Schema {
  wireForms.set(schema, form);
  return schema;
}
