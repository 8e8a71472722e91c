import { text as textOf } from 'node:stream/consumers';
import type { FileSource } from '../files/file-plan.js';
import { ImportFailure } from '../files/import-failure.js';

/** The start of a file as text, without a byte order mark. */
export function headText(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString()
    .replace(/^\ufeff/, '');
}

/** Reads a file as one JSON document. @throws ImportFailure for another text */
export async function jsonOf(source: FileSource): Promise<unknown> {
  try {
    return JSON.parse(await textOf(source.text()));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ImportFailure(`The file is not valid JSON: ${error.message}.`);
  }
}

/** A field of a JSON object; undefined for any other value, and if the object has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** The text of a number or of a text; empty for any other value. */
export function cellOf(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}
