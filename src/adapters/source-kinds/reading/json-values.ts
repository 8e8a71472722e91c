import { MILLISECONDS } from '#domain/time.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Largest number of characters of a text of a device in a message. */
const MAX_TEXT = 120;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON. Undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A member of an object. Undefined if the value is not an object, or has no such member. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A member that is an array; an empty array if there is none. */
export function arrayAt(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : [];
}

/** A number that is not infinite; undefined for any other value. JSON has `1e999`, which is infinite. */
export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A member that is a number; undefined otherwise. */
export function numberAt(value: unknown, name: string): number | undefined {
  return numberIn(memberOf(value, name));
}

/** A member that is a text or a number, as a short text for messages, without control characters. Undefined otherwise. */
export function textAt(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  if (typeof member !== 'string' && typeof member !== 'number') return undefined;
  return String(member).replace(/\p{C}/gu, ' ').slice(0, MAX_TEXT);
}

/** A time in seconds since 1970-01-01T00:00:00Z, as milliseconds. Undefined if the value is not a positive number. */
export function timeIn(value: unknown): number | undefined {
  const seconds = numberIn(value);
  return seconds === undefined || seconds <= 0 ? undefined : Math.round(seconds * MILLISECONDS.second);
}
