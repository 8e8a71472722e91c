import { accessSync, constants, createReadStream, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DomainError } from '../../../domain/domain-error.js';

/** Stands for standard input in place of a file. */
export const STANDARD_INPUT = '-';

/** Size in bytes; 0 for standard input, of which nobody knows it. @throws DomainError REQUEST_INVALID when it cannot be read */
export function sizeOf(file: string): number {
  if (file === STANDARD_INPUT) return 0;
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) throw new Error(`${file} is a directory.`);
    accessSync(file, constants.R_OK);
    return stats.size;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EACCES' ? `the user ${userInfo().username} may not read ${file}.` : message;
    throw new DomainError('REQUEST_INVALID', `The file cannot be read: ${reason}`);
  }
}

/**
 * The content, unpacked where the name ends in .gz. Nothing is read before somebody asks for it. A file that cannot be
 * unpacked fails with the error of zlib; `fileFault` puts it in words.
 *
 * @param progress is told of bytes as they are read
 */
export function openFile(file: string, standardInput: Readable, progress: (bytes: number) => void): Readable {
  const source = file === STANDARD_INPUT ? standardInput : createReadStream(file);
  const counter = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      progress(chunk.length);
      done(null, chunk);
    },
  });
  // Whoever reads the last stream gets the error of any of them.
  if (!file.endsWith('.gz')) return pipeline(source, counter, () => undefined);
  return pipeline(source, counter, createGunzip(), () => undefined);
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
