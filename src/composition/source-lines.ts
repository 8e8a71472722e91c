import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from './package-info.js';

/**
 * The folder of the bundle. Only source maps in this folder are read. The check is necessary because a stack contains the message
 * of the error, which may contain any path.
 */
const BUNDLE = new URL('.', import.meta.url).href;
/** A position in a stack of V8. */
const POSITION = /(?<![^\s(])(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;
/** Largest number of cached positions. The decoded map of a file needs megabytes and is not cached. */
const MAX_CACHED = 1000;

const cache = new Map<string, string>();

/**
 * Replaces the positions in the bundle by positions in the sources, for example `src/domain/time.ts:12:3`. Source maps are read
 * only when a stack is shown. The option `--enable-source-maps` of Node.js is not used, because it would read all maps at the
 * start and need 6 MiB more memory.
 */
export function withSourceLines(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(POSITION, (position, file: string, line: string, column: string) => {
    let source = cache.get(position);
    if (source === undefined) {
      if (!maps.has(file)) maps.set(file, file.startsWith(BUNDLE) ? readMap(file) : undefined);
      source = sourceOf(file, maps.get(file), Number(line), Number(column)) ?? position;
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(position, source);
    }
    return source;
  });
}

/**
 * @returns undefined if there is no map. The stack then keeps positions in the bundle, which help more than an error about a
 *   missing map.
 */
function readMap(file: string): SourceMap | undefined {
  try {
    const text = readFileSync(new URL(`${file}.map`), 'utf8');
    return new SourceMap(JSON.parse(text) as SourceMapPayload);
  } catch {
    return undefined;
  }
}

function sourceOf(
  file: string,
  map: SourceMap | undefined,
  line: number,
  column: number,
): string | undefined {
  const origin = map?.findEntry(line - 1, column - 1);
  if (origin === undefined || !('originalSource' in origin)) return undefined;
  const source = fileURLToPath(new URL(origin.originalSource, file));
  const path = relative(fileURLToPath(packageFile('.')), source);
  return `${path}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
}
