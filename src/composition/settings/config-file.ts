import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { jsonFaultAt } from './json-fault.js';

/** Largest size of a configuration file in bytes. */
const MAX_FILE = 1_048_576;

/** The text of a setting from the file or the environment. */
export interface RawSetting {
  readonly text: string;
  /** The position in the file, for messages: `external.port in FILE`. Undefined for the environment. */
  readonly place?: string;
}

/**
 * Reads the settings of a JSON file, by name. The name of a setting consists of its nested keys, joined with `_` and in capitals.
 *
 * @throws Error that describes the fault of the file without quoting it, because it may contain secrets
 */
export function readConfigFile(file: string): Map<string, RawSetting> {
  const content = readJson(file);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new Error('the file must contain a JSON object');
  }
  const settings = flatten(content, []).map(([path, value]): [string, RawSetting] => [
    path.join('_').toUpperCase(),
    { text: value, place: `${path.join('.')} in ${file}` },
  ]);
  return new Map(settings);
}

/**
 * Reads a JSON file.
 *
 * @throws Error that describes the fault of the file without quoting it
 */
export function readJson(file: string): unknown {
  if (!statSync(file).isFile()) throw new Error('the file is not a regular file');
  const text = readBounded(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the file is not valid JSON: line ${lineAndColumn(text, jsonFaultAt(text))}`, {
      cause: error,
    });
  }
}

/**
 * Reads the text of a file.
 *
 * @throws Error if the file cannot be read, or has more than a mebibyte, for example an endless device
 */
export function readBounded(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    if (fstatSync(descriptor).isDirectory()) throw new Error('the file is a folder');
    const bytes = Buffer.allocUnsafe(MAX_FILE + 1);
    let length = 0;
    for (;;) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, null);
      length += read;
      if (length > MAX_FILE) throw new Error(`the file has more than ${MAX_FILE} bytes`);
      if (read === 0) return bytes.toString('utf8', 0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

function lineAndColumn(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n');
  return `${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

/** Flattens nested objects: `{"external": {"tls": {"cert": "a"}}}` → `[[['external', 'tls', 'cert'], 'a']]`. */
function flatten(
  value: object | string | number | boolean | null,
  path: readonly string[],
): [path: readonly string[], text: string][] {
  if (value === null) return [];
  if (Array.isArray(value)) return [[path, value.join(',')]];
  if (typeof value !== 'object') return [[path, String(value)]];
  return Object.entries(value as Record<string, string>).flatMap(([key, item]) =>
    flatten(item, [...path, key]),
  );
}
