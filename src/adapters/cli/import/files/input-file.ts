import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { DomainError } from '../../../../domain/domain-error.js';
import { chunksOf } from '../../../formats/files/chunks-of.js';
import { type FileHead, fileHead, HEAD_BYTES } from '../../../formats/files/file-head.js';
import type { Encoding } from '../../../formats/files/encodings.js';
import { hasZipSignature, zipMembers } from './zip-file.js';
import { openFile, STANDARD_INPUT, type OpenOptions } from './source-file.js';

/** A file to import, or a member of an archive. */
export interface InputFile {
  /** As people know it: `a.csv`, `a.zip: b.csv`. */
  readonly label: string;
  /** The file on disk. */
  readonly file: string;
  /** The name in the archive. */
  readonly member?: string;
  /** The unpacked bytes. Standard input can be opened once. */
  readonly open: (options: OpenOptions) => AsyncIterable<Uint8Array>;
}

/** The files behind a path: itself, or the members of a zip archive. */
export async function inputFiles(file: string, standardInput: Readable): Promise<InputFile[]> {
  if (file === STANDARD_INPUT) {
    return [
      { label: 'standard input', file, open: (options) => chunksOf(openFile(file, standardInput, options)) },
    ];
  }
  if (!(await hasZipSignature(file))) {
    return [
      { label: basename(file), file, open: (options) => chunksOf(openFile(file, standardInput, options)) },
    ];
  }
  return (await zipMembers(file)).map(({ name: member, open }) => ({
    label: `${basename(file)}: ${member}`,
    file,
    member,
    open: (options) => open(options),
  }));
}

/** A file whose first bytes were read. */
export interface PeekedFile {
  readonly head: FileHead;
  /** All bytes, the first ones included. Standard input can be read once. */
  readonly bytes: (options: OpenOptions) => AsyncIterable<Uint8Array>;
}

/**
 * Reads the head of a file.
 *
 * @throws DomainError REQUEST_INVALID where it is empty; what reading throws
 */
export async function peek(
  { file, member, open }: InputFile,
  encoding: Encoding | undefined,
  signal: AbortSignal,
): Promise<PeekedFile> {
  const isStream = file === STANDARD_INPUT;
  const progress: OpenOptions['progress'][] = [];
  const pieces = open({ progress: (bytes) => progress.forEach((tell) => tell(bytes)), signal })[
    Symbol.asyncIterator
  ]();
  const first: Uint8Array[] = [];
  let [length, isWhole] = [0, false];
  let failure: unknown;
  try {
    while (length < HEAD_BYTES && !isWhole) {
      const next = await pieces.next();
      isWhole = next.done === true;
      if (next.done === true) continue;
      first.push(next.value);
      length += next.value.length;
    }
  } catch (error) {
    // A file that breaks off is read up to there; reading it will fail at the same place.
    if (length === 0) throw error;
    failure = error;
  }
  if (length === 0) throw new DomainError('REQUEST_INVALID', 'The file is empty.');
  const bytes = Buffer.concat(first);
  const name = member ?? (isStream ? '' : file);
  const head = fileHead(name, bytes.subarray(0, HEAD_BYTES), isWhole && bytes.length <= HEAD_BYTES, encoding);
  if (!isStream) {
    await pieces.return?.();
    return { head, bytes: open };
  }
  return {
    head,
    bytes: async function* ({ progress: tell }) {
      progress.push(tell);
      yield bytes;
      if (failure !== undefined) throw failure;
      yield* { [Symbol.asyncIterator]: () => pieces };
    },
  };
}
