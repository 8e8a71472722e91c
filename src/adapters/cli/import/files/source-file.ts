import { accessSync, closeSync, constants, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { addAbortSignal, pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DomainError } from '#domain/domain-error.js';

/** Stands for standard input in place of a file. */
export const STANDARD_INPUT = '-';

/**
 * Size in bytes; 0 for standard input, of which nobody knows it.
 *
 * @throws DomainError REQUEST_INVALID for a folder; Error of the system if the file cannot be read
 */
export function sourceSize(file: string): number {
  if (file === STANDARD_INPUT) return 0;
  const stats = statSync(file);
  if (stats.isDirectory())
    throw new DomainError('REQUEST_INVALID', `${file} is a folder: name the files in it.`);
  accessSync(file, constants.R_OK);
  return stats.size;
}

export interface OpenOptions {
  readonly progress: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * The content, unpacked where the name ends in .gz or the content begins as a packed file does. Nothing is read before somebody asks for it. A file that cannot be
 * unpacked fails with the error of zlib; `fileFault` puts it in words.
 *
 * @param progress is told of bytes as they are read
 * @param signal ends the reading, with an AbortError behind what was read
 */
export function openFile(file: string, standardInput: Readable, { progress, signal }: OpenOptions): Readable {
  const source = file === STANDARD_INPUT ? standardInput : createReadStream(file);
  const counter = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      progress(chunk.length);
      done(null, chunk);
    },
  });
  if (signal !== undefined) addAbortSignal(signal, counter);
  // The reader of the last stream gets the errors of all of them.
  if (file.endsWith('.gz')) return pipeline(source, counter, createGunzip(), () => undefined);
  return Readable.from(unpacked(pipeline(source, counter, () => undefined)), { objectMode: false });
}

/** Bytes that every file of gzip begins with. */
const GZIP = Buffer.of(0x1f, 0x8b);

/** Whether a file on disk is packed with gzip. */
export function isGzip(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const start = Buffer.alloc(GZIP.length);
    readSync(descriptor, start);
    return start.equals(GZIP);
  } finally {
    closeSync(descriptor);
  }
}

/** The content of a stream, unpacked if it begins with the magic number of gzip. */
async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < GZIP.length) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  if (!head.subarray(0, GZIP.length).equals(GZIP)) return yield* whole();
  yield* pipeline(Readable.from(whole()), createGunzip(), () => undefined) as AsyncIterable<Buffer>;
}

/** `error` with the file and the line where reading broke off, if zlib has raised it. @param line the last that was read */
export function fileFault(error: unknown, file: string, line: number): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !code.startsWith('Z_')) return error;
  const place = `behind line ${line}`;
  let reason = `its packed data is damaged ${place} (${message})`;
  if (code === 'Z_BUF_ERROR') reason = `its packed data is cut off ${place}`;
  else if (line === 0) reason = `it is not packed with gzip (${message})`;
  return new DomainError('REQUEST_INVALID', `${file} cannot be unpacked: ${reason}.`);
}
