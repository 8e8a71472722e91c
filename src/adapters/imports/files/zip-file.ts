import { open as openDescriptor } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import type { Entry } from 'yauzl';
import { DomainError } from '#domain/domain-error.js';
import type { OpenOptions } from './source-file.js';

const SIGNATURE = 'PK\x03\x04';

interface ZipMember {
  readonly name: string;
  readonly open: (options: OpenOptions) => AsyncIterable<Uint8Array>;
}

/** Whether a file begins with the signature of a zip archive. */
export async function hasZipSignature(file: string): Promise<boolean> {
  const descriptor = await openDescriptor(file);
  try {
    const { buffer, bytesRead } = await descriptor.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1', 0, bytesRead) === SIGNATURE;
  } finally {
    await descriptor.close();
  }
}

/**
 * Reads the first bytes of a stream. Returns whether they are the signature of a zip archive, and the whole content of the
 * stream.
 *
 * @param signal ends the wait for the first bytes
 */
export async function peekZip(
  stream: Readable,
  signal: AbortSignal,
): Promise<{ readonly isZip: boolean; readonly content: AsyncIterable<Buffer> }> {
  const chunks = addAbortSignal(signal, stream)[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
  let start = Buffer.alloc(0);
  while (start.length < SIGNATURE.length) {
    const next = await chunks.next();
    if (next.done === true) break;
    start = Buffer.concat([start, Buffer.from(next.value)]);
  }
  async function* content(): AsyncGenerator<Buffer> {
    try {
      yield start;
      for (;;) {
        const next = await chunks.next();
        if (next.done === true) return;
        yield Buffer.from(next.value);
      }
    } finally {
      await chunks.return?.();
    }
  }
  return { isZip: start.toString('latin1').startsWith(SIGNATURE), content: content() };
}

/**
 * The files in a zip archive, without folders and without the files that macOS adds.
 *
 * @param maxMembers largest number of members
 * @throws DomainError REQUEST_INVALID if the archive is damaged or incomplete, if it has more members, or if a member is encrypted
 */
export async function zipMembers(file: string, maxMembers = Infinity): Promise<ZipMember[]> {
  // The package is loaded only for archives. In the bundle this CommonJS module has only a default export.
  const { default: yauzl } = await import('yauzl');
  const openArchive = () =>
    yauzl.openPromise(file, { autoClose: false }).catch((error: unknown) => {
      throw damaged(file, error);
    });
  const archive = await openArchive();
  const entries = new Map<string, Entry>();
  let count = 0;
  try {
    for await (const entry of archive.eachEntry()) {
      const { fileName } = entry;
      if ((count += 1) > maxMembers) throw new Error(`it has more than ${maxMembers} members; split it`);
      const isFile = !fileName.endsWith('/') && !/(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$)/.test(fileName);
      if (isFile && !entries.has(fileName)) entries.set(fileName, entry);
    }
  } catch (error) {
    throw damaged(file, error);
  } finally {
    archive.close();
  }
  return [...entries.keys()].toSorted().map((name) => ({
    name,
    open: (options) => memberBytes(name, entries.get(name) as Entry, options),
  }));

  /**
   * Reads a member (a file in the archive).
   *
   * @param entry the line about the member in the table of contents. It has the position of the bytes of the member, so that the
   *   table of contents is not read again for each member
   */
  async function* memberBytes(
    name: string,
    entry: Entry,
    { progress, signal }: OpenOptions,
  ): AsyncGenerator<Uint8Array> {
    const opened = await openArchive();
    try {
      const content = await opened.openReadStreamPromise(entry);
      const share = entry.compressedSize / Math.max(1, entry.uncompressedSize);
      const pieces = Readable.from(content, { ...(signal && { signal }) }) as AsyncIterable<Uint8Array>;
      for await (const piece of pieces) {
        progress(piece.length * share);
        yield piece;
      }
    } catch (error) {
      throw damaged(`${file}: ${name}`, error);
    } finally {
      opened.close();
    }
  }
}

function damaged(file: string, error: unknown): unknown {
  const { name, message } = error as Error;
  if (name === 'AbortError') return error;
  return new DomainError('REQUEST_INVALID', `${file} cannot be decompressed: ${message}.`);
}
