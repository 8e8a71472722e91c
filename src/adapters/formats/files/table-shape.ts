import { DomainError } from '#domain/domain-error.js';
import { decimalNumber } from '../text/number.js';
import { type FileHead, HEAD_BYTES } from './file-head.js';
import { FileRefusal, say } from './sentences.js';

/** The position of the table in a file, and its headings. */
export interface TableShape {
  readonly delimiter: string;
  /** Trimmed headings; without headings the numbers `1`, `2` and so on. */
  readonly headings: readonly string[];
  readonly hasHeadings: boolean;
  /** Number of the first line with a row. */
  readonly first: number;
}

export interface ShapeOptions {
  /** Undefined means that the delimiter is concluded from the file. */
  readonly delimiter?: string;
  /**
   * Number of lines before the headings, or before the rows without headings. Undefined means that the number is concluded from
   * the file.
   */
  readonly skipLines?: number;
  /** Whether there is a line of headings. Otherwise columns are named by their number from 1. */
  readonly header?: boolean;
}

/** Number of lines that are examined. */
const LOOKED_AT = 100;

/**
 * Finds the table: the lines with the most common number of fields. The first of these lines has the headings.
 *
 * @throws DomainError REQUEST_INVALID if there is no table, or if its first line cannot be headings
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
      `Line ${broken + 1} cannot be read as CSV: a quote is not closed, or it follows another quote.`,
    );
  }
  const fields = head.fields(at, delimiter);
  if (fields.length === 0) throw new FileRefusal([say('table-missing', { line: at })]);
  if (!hasHeadings) {
    return { delimiter, headings: fields.map((_, index) => String(index + 1)), hasHeadings, first: at };
  }
  const numbers = fields.filter((field) => !Number.isNaN(decimalNumber(field.replace(',', '.')))).length;
  if (numbers > fields.length / 2) {
    const texts = fields.slice(0, 5).join(delimiter);
    throw new FileRefusal([say('headings-missing', { line: at, texts })]);
  }
  return { delimiter, headings: fields, hasHeadings, first: at + 1 };
}

/** The number of lines before the headings. Usually the headings are the first line with the most common number of fields. */
function preambleOf(widths: readonly number[], isHeading: (line: number) => boolean): number {
  const counts = new Map<number, number>();
  for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [common] = [...counts].toSorted(([a, many], [b, more]) => more - many || b - a)[0] ?? [1];
  // A preamble may have as many fields as the table. An empty line then separates them.
  const empty = widths.findLastIndex(
    (width, index) => width === 0 && widths[index + 1] === common && isHeading(index + 2),
  );
  if (empty !== -1) return empty + 1;
  const first = widths.findIndex((width) => width === common);
  // Rows may lack their last fields, so that the line of headings has more fields than the rows. The line directly before the
  // first row is therefore the headings if it has more fields than the rows.
  const before = widths.findLastIndex((width, index) => index < first && width > common);
  return Math.max(0, before !== -1 && before === first - 1 ? before : first);
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
