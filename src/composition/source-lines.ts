import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from './package-info.js';

/** The files of the bundle lie side by side. Nothing else is read: a stack has the message too, which may come from anybody. */
const BUNDLE = new URL('.', import.meta.url).href;
/** A position as V8 writes it into a stack. */
const POSITION = /(?<![^\s(])(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;
/** Positions that are remembered. The decoded map of a file takes megabytes and is not kept. */
const REMEMBERED = 1000;

const known = new Map<string, string>();

/**
 * A stack with the lines of the sources in the place of those of the bundle: `src/domain/time.ts:12:3`. Maps are read when a
 * stack is to be shown. Node.js's own way (`--enable-source-maps`) reads them all at the start and takes 6 MiB more.
 */
export function withSourceLines(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(POSITION, (position, file: string, line: string, column: string) => {
    let source = known.get(position);
    if (source === undefined) {
      if (!maps.has(file)) maps.set(file, file.startsWith(BUNDLE) ? readMap(file) : undefined);
      source = sourceOf(file, maps.get(file), Number(line), Number(column)) ?? position;
      if (known.size >= REMEMBERED) known.clear();
      known.set(position, source);
    }
    return source;
  });
}

/** @returns undefined where there is none: a stack with the lines of the bundle says more than a failure to map them */
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
