import { CsvReader } from '../csv/csv-reader.js';
import { decodeHead, type Encoding, textEncodingOf } from './encodings.js';
import type { DatabaseTable } from './file-plan.js';

/** Number of bytes that are examined before a file is read. */
export const HEAD_BYTES = 65_536;

/** Delimiters that are recognized, the most common first. */
const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Number of lines whose delimiters are counted. */
const COUNTED = 50;

/** The kind of a file, from its first bytes. `binary` is a file that is neither text nor has a known magic number. */
export type FileKind =
  | 'text'
  | 'sqlite'
  | 'parquet'
  | 'zip'
  | 'tar'
  | 'gzip'
  | 'xz'
  | 'xlsx'
  | 'pdf'
  | 'binary';

const MAGIC: readonly (readonly [FileKind, string])[] = [
  ['sqlite', 'SQLite format 3\0'],
  ['parquet', 'PAR1'],
  ['zip', 'PK\x03\x04'],
  ['gzip', '\x1f\x8b'],
  ['xz', '\xfd7zXZ\0'],
  ['pdf', '%PDF-'],
];

/** Magic text of a tar archive (POSIX), at byte 257. */
const TAR = 'ustar';

/** The beginning of a file after decompression. Import formats recognize a file by it. */
export interface FileHead {
  /** The name without folders and without `.gz`. For a member of an archive, the name of the member. */
  readonly name: string;
  /** The first bytes, at most `HEAD_BYTES`. */
  readonly bytes: Uint8Array;
  /** Whether `bytes` are the whole file. */
  readonly isWhole: boolean;
  readonly kind: FileKind;
  /** The tables of an SQLite file; empty for other files. */
  readonly tables: readonly DatabaseTable[];
  readonly encoding: Encoding;
  /** The complete lines of a text file, without their line ends; empty for other files. Line n of the file is `lines[n - 1]`. */
  readonly lines: readonly string[];
  /**
   * The most likely delimiter: the one that splits the largest number of lines into the same number of fields. A comma if no line
   * has a delimiter.
   */
  readonly delimiter: string;
  /**
   * The fields of a line (from 1), trimmed and without quotes; empty if the line does not exist. Without the parameter, the
   * delimiter of the file is used.
   */
  fields(line: number, delimiter?: string): readonly string[];
  /**
   * The texts of one field in up to 200 lines, as samples for units and dates. Empty texts are omitted.
   *
   * @param at index of the field, from 0
   * @param first number of the first of these lines, from 1
   */
  samples(at: number, first: number, delimiter?: string): readonly string[];
}

/** Largest number of rows that `samples` reads. */
const SAMPLED = 200;

/**
 * @param name name of the file
 * @param bytes the first bytes of the file
 * @param encoding the encoding, if a person has named it
 * @param tables the tables of an SQLite file
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
  const file = {
    name: name.replace(/^.*[/\\]/s, '').replace(/\.gz$/i, ''),
    bytes,
    isWhole,
    kind,
    tables,
    encoding,
  };
  return headOfLines(file, lines);
}

/** The head of a file with other lines, for example with some of its rows only. */
export function headOfLines(
  {
    name,
    bytes,
    isWhole,
    kind,
    tables,
    encoding,
  }: Omit<FileHead, 'lines' | 'delimiter' | 'fields' | 'samples'>,
  lines: readonly string[],
): FileHead {
  const delimiter = delimiterOf(lines);
  const fields = (line: number, by = delimiter) => fieldsOf(lines[line - 1] ?? '', by);
  return {
    name,
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
  if (Buffer.from(bytes.subarray(257, 262)).toString('latin1') === TAR) return 'tar';
  return !encoding.startsWith('utf-16') && bytes.includes(0) ? 'binary' : 'text';
}

function linesOfHead(text: string, isWhole: boolean): string[] {
  const end = text.includes('\n') ? /\r?\n/ : /\r/;
  const lines = text.split(end);
  // The last text is removed if it may be cut off, or if it is the empty text behind the last line end.
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
    // The score of a delimiter is the largest number of lines that it splits into the same number of fields. If two scores are
    // equal, the delimiter that makes more fields wins. The comma loses in this case, because it may be the decimal sign: the
    // line `1,5;2,5;3,5` must be split at the semicolons.
    const score = Math.max(
      0,
      ...[...counts].map(([count, same]) => (delimiter === ',' ? same : same + count / 1000)),
    );
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
