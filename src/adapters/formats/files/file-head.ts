import { CsvReader } from '../csv/csv-reader.js';
import { decodeHead, type Encoding, textEncodingOf } from './encodings.js';
import type { DatabaseTable } from './file-plan.js';

/** Bytes of a file that are looked at before it is read. */
export const HEAD_BYTES = 65_536;

/** Delimiters that are told apart, the commonest first. */
const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Lines whose delimiters are counted. */
const COUNTED = 50;

/** What the first bytes of a file are. `binary` is anything that is neither text nor a known magic number. */
export type FileKind = 'text' | 'sqlite' | 'parquet' | 'zip' | 'gzip' | 'xz' | 'xlsx' | 'pdf' | 'binary';

const MAGIC: readonly (readonly [FileKind, string])[] = [
  ['sqlite', 'SQLite format 3\0'],
  ['parquet', 'PAR1'],
  ['zip', 'PK\x03\x04'],
  ['gzip', '\x1f\x8b'],
  ['xz', '\xfd7zXZ\0'],
  ['pdf', '%PDF-'],
];

/** The beginning of a file, after it has been unpacked: what makes recognize files by. */
export interface FileHead {
  /** The name without folders and without `.gz`; that of the member of an archive. */
  readonly name: string;
  /** At most `HEAD_BYTES`. */
  readonly bytes: Uint8Array;
  /** Whether `bytes` are the whole file. */
  readonly isWhole: boolean;
  readonly kind: FileKind;
  /** Of an SQLite file; none of another one. */
  readonly tables: readonly DatabaseTable[];
  readonly encoding: Encoding;
  /** The complete lines of the text, without their ends; none of a file that is no text. Line n of the file is `lines[n - 1]`. */
  readonly lines: readonly string[];
  /** The likeliest delimiter: the one that most lines have in the same number. A comma where there is none. */
  readonly delimiter: string;
  /** The fields of a line (from 1), trimmed and without quotes; none where there is no such line. By `delimiter`, or another. */
  fields(line: number, delimiter?: string): readonly string[];
  /** The texts of a field in the rows from a line on, at most 200: samples by which to tell units or dates. Empty ones are left out. */
  samples(at: number, first: number, delimiter?: string): readonly string[];
}

/** Rows of which `samples` gives a field. */
const SAMPLED = 200;

/**
 * @param name of the file
 * @param bytes its first ones
 * @param encoding when a person has said so
 * @param tables of an SQLite file
 */
export function fileHead(
  name: string,
  bytes: Uint8Array,
  isWhole: boolean,
  encoding: Encoding = textEncodingOf(bytes),
  tables: readonly DatabaseTable[] = [],
): FileHead {
  const kind = kindOf(bytes, encoding);
  const lines = kind === 'text' ? linesOfHead(decodeHead(bytes, encoding), isWhole) : [];
  const delimiter = delimiterOf(lines);
  const fields = (line: number, by = delimiter) => fieldsOf(lines[line - 1] ?? '', by);
  return {
    name: name.replace(/^.*[/\\]/s, '').replace(/\.gz$/i, ''),
    bytes,
    isWhole,
    kind,
    tables,
    encoding,
    lines,
    delimiter,
    fields,
    samples: (at, first, by = delimiter) =>
      lines
        .slice(first - 1, first - 1 + SAMPLED)
        .map((text) => fieldsOf(text, by)[at] ?? '')
        .filter((text) => text !== ''),
  };
}

function kindOf(bytes: Uint8Array, encoding: Encoding): FileKind {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const magic = MAGIC.find(([, sign]) => start.startsWith(sign));
  if (magic !== undefined) return magic[0];
  return !encoding.startsWith('utf-16') && bytes.includes(0) ? 'binary' : 'text';
}

function linesOfHead(text: string, isWhole: boolean): string[] {
  const end = text.includes('\n') ? /\r?\n/ : /\r/;
  const lines = text.split(end);
  // The last one may be cut, or is what stands behind the last line end.
  if (!isWhole || lines.at(-1) === '') lines.pop();
  return lines;
}

function delimiterOf(lines: readonly string[]): string {
  let [best, most] = [',', 0];
  for (const delimiter of DELIMITERS) {
    const counts = new Map<number, number>();
    for (const line of lines.slice(0, COUNTED)) {
      const count = fieldsOf(line, delimiter).length - 1;
      if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1);
    }
    // Fields count a little, so that `1,5;2,5;3,5` is parted at semicolons.
    const score = Math.max(0, ...[...counts].map(([count, same]) => same + count / 1000));
    if (score > most) [best, most] = [delimiter, score];
  }
  return best;
}

function fieldsOf(line: string, delimiter: string): readonly string[] {
  if (line === '') return [];
  const reader = new CsvReader(delimiter, false);
  const [record] = [...reader.read(Buffer.from(`${line}\n`)), ...reader.end()];
  return record?.fields.map((field) => field.trim()) ?? [];
}
