import { quoted } from '#domain/quoted.js';
import type { UploadField } from '#domain/uploads/upload.js';
import { decimalNumber } from '../text/number.js';

/**
 * Largest number of values of a document (the parsed JSON of a message) that `leavesOf` lists. Values deeper than `MAX_DEPTH`
 * levels are not listed.
 */
const MAX_LISTED = 64;
const MAX_DEPTH = 4;
/** Characters of a listed text. */
const MAX_TEXT = 40;

/** The value at a path (`BME280.Temperature`, `list.0.value`); undefined if it does not exist. A name may itself contain points. */
export function documentValue(document: unknown, path: string): unknown {
  if (hasOwn(document, path)) return document[path];
  let value = document;
  for (const key of path.split('.')) {
    if (!hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function hasOwn<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

/** The text of a value that identifies something: a text, or a number in decimal; undefined for other values. */
export function documentText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
}

/**
 * Reads a number, or a text that is a number.
 *
 * @param missing texts for an absent value
 * @returns the number; undefined for an absent value; otherwise the reason why it is not a number
 */
export function numberOf(value: unknown, missing: readonly string[]): number | undefined | string {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value.trim() : documentText(value);
  if (text === undefined) return `is not a number but ${nounOf(value)}`;
  if (text === '') return undefined;
  const number = decimalNumber(text);
  if (missing.some((code) => code === text || decimalNumber(code) === number)) return undefined;
  return Number.isFinite(number) ? number : `${quoted(text)} is not a number`;
}

function nounOf(value: unknown): string {
  if (typeof value === 'boolean') return 'true or false';
  return Array.isArray(value) ? 'a list' : 'an object';
}

/**
 * Lists the numbers and texts of a document (the parsed JSON of a message) with their paths: at most 64 of them, from the first
 * four levels.
 */
export function leavesOf(document: unknown): UploadField[] {
  const leaves: UploadField[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (leaves.length >= MAX_LISTED) return;
    if (typeof value === 'number' || typeof value === 'string') {
      leaves.push({ name: path, value: typeof value === 'string' ? value.slice(0, MAX_TEXT) : value });
    } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
      for (const [key, item] of Object.entries(value)) {
        if (leaves.length >= MAX_LISTED) return;
        visit(item, path === '' ? key : `${path}.${key}`, depth + 1);
      }
    }
  };
  visit(document, '', 0);
  return leaves;
}
