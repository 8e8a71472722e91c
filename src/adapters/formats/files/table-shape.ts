import { DomainError } from '#domain/domain-error.js';
import { decimalNumber } from '../text/number.js';
import { type FileHead, HEAD_BYTES } from './file-head.js';

/** Where the table of a file is, and its headings. */
export interface TableShape {
  readonly delimiter: string;
  /** Trimmed; `1`, `2` … where there are none. */
  readonly headings: readonly string[];
  readonly hasHeadings: boolean;
  /** The first line with a row. */
  readonly first: number;
}

export interface ShapeOptions {
  /** Found out when left out. */
  readonly delimiter?: string;
  /** Lines before the headings, or before the rows where there are none; found out when left out. */
  readonly skipLines?: number;
  /** Whether there is a line of headings. Columns are called by their number from 1 otherwise. */
  readonly header?: boolean;
}

/** Lines that are looked at. */
const LOOKED_AT = 100;

/**
 * Finds the table: the lines that have as many fields as most lines have. The first of them has the headings.
 *
 * @throws DomainError REQUEST_INVALID where there is no table, or its first line cannot be headings
 */
export function tableShape(head: FileHead, options: ShapeOptions): TableShape {
  const { delimiter = head.delimiter, header: hasHeadings = true } = options;
  const lines = head.lines.slice(0, LOOKED_AT);
  if (lines.every((line) => line.trim() === '')) {
    throw invalid(head.isWhole ? 'The file is empty.' : `Line 1 is longer than ${HEAD_BYTES} bytes.`);
  }
  const widths = lines.map((_, index) => head.fields(index + 1, delimiter).length);
  const isHeading = (line: number) => {
    const texts = head.fields(line, delimiter);
    return texts.length > 1 && texts.every((text) => /^[^\d\s+.,-]/.test(text));
  };
  const at = (options.skipLines ?? preambleOf(widths, isHeading)) + 1;
  const broken = lines.slice(0, at).findIndex((line, index) => line.trim() !== '' && widths[index] === 0);
  if (broken !== -1 && options.skipLines === undefined) {
    throw invalid(
      `Line ${broken + 1} cannot be read as CSV: a quote is not closed, or stands behind another.`,
    );
  }
  const fields = head.fields(at, delimiter);
  if (fields.length === 0)
    throw invalid(`The file has no line ${at} with a table; --skip-lines says where it begins.`);
  if (!hasHeadings) {
    return { delimiter, headings: fields.map((_, index) => String(index + 1)), hasHeadings, first: at };
  }
  const numbers = fields.filter((field) => !Number.isNaN(decimalNumber(field.replace(',', '.')))).length;
  if (numbers > fields.length / 2) {
    throw invalid(
      `Line ${at} has no headings (${fields.slice(0, 5).join(delimiter)} …): --no-header says that the file has none, and columns are called by their number from 1.`,
    );
  }
  return { delimiter, headings: fields, hasHeadings, first: at + 1 };
}

/** The number of lines before the first one that is as wide as most. */
function preambleOf(widths: readonly number[], isHeading: (line: number) => boolean): number {
  const counts = new Map<number, number>();
  for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [common] = [...counts].toSorted(([a, many], [b, more]) => more - many || b - a)[0] ?? [1];
  // A preamble may be as wide as the table; an empty line parts them.
  const empty = widths.findLastIndex(
    (width, index) => width === 0 && widths[index + 1] === common && isHeading(index + 2),
  );
  if (empty !== -1) return empty + 1;
  const first = widths.findIndex((width) => width === common);
  // Rows may lack fields at their end that the headings have.
  const before = widths.findLastIndex((width, index) => index < first && width > common);
  return Math.max(0, before !== -1 && before === first - 1 ? before : first);
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
