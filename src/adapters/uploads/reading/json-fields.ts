import { withoutControls } from '../request/form.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member that is an object; an empty object if there is none. */
export function objectAt(value: unknown, name: string): JsonObject {
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(member) ? member : {};
}

/** A member that is a text or a number, as text; undefined otherwise. */
export function textAt(value: JsonObject, name: string): string | undefined {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof member === 'string' || typeof member === 'number'
    ? withoutControls(String(member))
    : undefined;
}

/** Largest depth at which members are read. */
const MAX_DEPTH = 4;

/**
 * Texts, numbers and booleans (as 1 and 0) of an object by their path: `{ "soil": { "moisture": 3 } }` becomes `soil.moisture`.
 * Members of an array are named by their index.
 */
export function flatFields(value: unknown, prefix = '', depth = 0): [string, string][] {
  if (typeof value === 'boolean') return [[prefix, value ? '1' : '0']];
  if (typeof value === 'string' || typeof value === 'number')
    return [[prefix, withoutControls(String(value))]];
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    flatFields(
      member,
      prefix === '' ? withoutControls(name) : `${prefix}.${withoutControls(name)}`,
      depth + 1,
    ),
  );
}
