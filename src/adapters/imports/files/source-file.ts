import { accessSync, closeSync, constants, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { addAbortSignal, pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DomainError } from '#domain/domain-error.js';

/** The argument that means standard input instead of a file. */
export const STANDARD_INPUT = '-';

/**
 * The size in bytes; 0 for standard input, whose size is unknown.
 *
 * @throws DomainError REQUEST_INVALID for a folder; Error of the system if the file cannot be read
 */
export function sourceSize(file: string): number {
  if (file === STANDARD_INPUT) return 0;
  const stats = statSync(file);
  if (stats.isDirectory())
    throw new DomainError('REQUEST_INVALID', `${file} is a folder. Name the files in the folder.`);
  accessSync(file, constants.R_OK);
  return stats.size;
}

export interface OpenOptions {
  readonly progress: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Opens a file. It is decompressed if its name ends in .gz or if it begins with the magic number of gzip. Nothing is read before
 * the stream is read. If decompression fails, the stream fails with the error of zlib, which `fileFault` explains.
 *
 * @param progress called with the number of bytes that were read
 * @param signal ends the reading: the stream fails with an AbortError after the bytes that were read
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
  // If one of the streams fails, the last stream fails with the same error.
  if (file.endsWith('.gz')) return pipeline(source, counter, createGunzip(), () => undefined);
  return Readable.from(unpacked(pipeline(source, counter, () => undefined)), { objectMode: false });
}

/** Magic number of gzip. */
const GZIP = Buffer.of(0x1f, 0x8b);

/** Whether a file on disk is compressed with gzip. */
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

/** The content of a stream, decompressed if it begins with the magic number of gzip. */
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

/** Explains an error of zlib with the file and the line; returns other errors unchanged. @param line the last line that was read */
export function fileFault(error: unknown, file: string, line: number): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !code.startsWith('Z_')) return error;
  const place = `after line ${line}`;
  let reason = `its compressed data are damaged ${place} (${message})`;
  if (code === 'Z_BUF_ERROR') reason = `its compressed data are cut off ${place}`;
  else if (line === 0) reason = `it is not compressed with gzip (${message})`;
  return new DomainError('REQUEST_INVALID', `${file} cannot be decompressed: ${reason}.`);
}
