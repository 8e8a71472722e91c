import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { DomainError } from '#domain/domain-error.js';
import { chunksOf } from '#adapters/formats/files/chunks-of.js';
import { type FileHead, fileHead, HEAD_BYTES } from '#adapters/formats/files/file-head.js';
import type { Encoding } from '#adapters/formats/files/encodings.js';
import type { DatabaseTable } from '#adapters/formats/files/file-plan.js';
import { isGzip, openFile, STANDARD_INPUT, type OpenOptions } from './source-file.js';
import type { TemporaryFolder } from './temporary-folder.js';
import { hasZipSignature, peekZip, zipMembers } from './zip-file.js';

/** A file to import, or a member of an archive. */
export interface InputFile {
  /** The name for people: `a.csv`, `a.zip: b.csv`. */
  readonly label: string;
  /** The file on disk. */
  readonly file: string;
  /** The name of the member in the archive. */
  readonly member?: string;
  /** Whether the content can be read only once, like the content of standard input. */
  readonly isStream: boolean;
  /** Opens the decompressed bytes. Standard input can be opened once. */
  readonly open: (options: OpenOptions) => AsyncIterable<Uint8Array>;
}

/**
 * The files behind a path: the file itself, or the members of a zip archive.
 *
 * @param folder stores an archive that comes from standard input. An archive must be on disk, because its table of contents is at
 *   its end
 * @param maxMembers largest number of members of an archive
 * @throws DomainError REQUEST_INVALID for an archive that is damaged, or has more members
 */
export async function inputFiles(
  file: string,
  standardInput: Readable,
  folder: TemporaryFolder,
  signal: AbortSignal,
  maxMembers = Infinity,
): Promise<InputFile[]> {
  if (file !== STANDARD_INPUT) {
    if (await hasZipSignature(file)) return membersOf(file, file, basename(file), maxMembers);
    const open: InputFile['open'] = (options) => chunksOf(openFile(file, standardInput, options));
    return [{ label: basename(file), file, isStream: false, open }];
  }
  const label = 'standard input';
  const { isZip, content } = await peekZip(standardInput, signal);
  if (isZip) return membersOf(await folder.write(label, content), file, label, maxMembers);
  const open: InputFile['open'] = (options) =>
    chunksOf(openFile(file, Readable.from(content, { objectMode: false }), options));
  return [{ label, file, isStream: true, open }];
}

async function membersOf(
  path: string,
  file: string,
  label: string,
  maxMembers: number,
): Promise<InputFile[]> {
  return (await zipMembers(path, maxMembers)).map(({ name: member, open }) => ({
    label: `${label}: ${member}`,
    file,
    member,
    isStream: false,
    open: (options) => open(options),
  }));
}

/** A file whose first bytes were read. */
export interface PeekedFile {
  readonly head: FileHead;
  /** Path of the decompressed file on disk, for a database or a Parquet file. */
  readonly path: string | undefined;
  /** All bytes of the file, including those that were read already. Standard input can be read only once. */
  readonly bytes: (options: OpenOptions) => AsyncIterable<Uint8Array>;
}

/**
 * Reads the head of a file, and the tables of a database. A database or a Parquet file that is compressed, or comes from standard
 * input, is written to disk.
 *
 * @throws DomainError REQUEST_INVALID if the file is empty; the error of the source if no byte can be read
 */
export async function peek(
  { label, file, member, isStream, open }: InputFile,
  encoding: Encoding | undefined,
  signal: AbortSignal,
  folder: TemporaryFolder,
  tablesOf: (path: string) => Promise<readonly DatabaseTable[]>,
): Promise<PeekedFile> {
  const progress: OpenOptions['progress'][] = [];
  const pieces = open({ progress: (bytes) => progress.forEach((onBytes) => onBytes(bytes)), signal })[
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
    // If reading fails after some bytes, these bytes are examined as the head of the file. The error need not be reported here,
    // because reading the rows will fail at the same position.
    if (length === 0) throw error;
    failure = error;
  }
  if (length === 0) throw new DomainError('REQUEST_INVALID', 'The file is empty.');
  const bytes = Buffer.concat(first);
  const name = member ?? (isStream ? '' : file);
  const headOf = (tables?: readonly DatabaseTable[]) =>
    fileHead(name, bytes.subarray(0, HEAD_BYTES), isWhole && bytes.length <= HEAD_BYTES, encoding, tables);
  const withTables = async (path: string) =>
    headOf(head.kind === 'sqlite' ? await tablesOf(path) : undefined);
  const head = headOf();
  const wholeFile: PeekedFile['bytes'] = async function* ({ progress: onBytes }) {
    progress.push(onBytes);
    yield bytes;
    if (failure !== undefined) throw failure;
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  const isBinary = head.kind === 'sqlite' || head.kind === 'parquet';
  const isOnDisk = member === undefined && !isStream && !isGzip(file);
  if (isBinary && !isOnDisk) {
    const path = await folder.write(label, wholeFile({ progress: () => undefined, signal }));
    return { head: await withTables(path), path, bytes: wholeFile };
  }
  if (isStream) return { head, path: undefined, bytes: wholeFile };
  await pieces.return?.();
  if (!isBinary) return { head, path: undefined, bytes: open };
  return { head: await withTables(file), path: file, bytes: open };
}
