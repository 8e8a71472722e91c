import type { FileHead } from '../files/file-head.js';
import type { Questions } from '../files/questions.js';

/** Number of lines that are examined. */
const SAMPLE = 20;

/**
 * The first rows of a file without headings whose rows all have the same form; empty if the file has another format.
 *
 * If the user has named the format, one row of this form is enough. The other lines are then rejected when they are read.
 *
 * @param row the form of a row
 * @param format name of the import format
 */
export function fixedRows(
  head: FileHead,
  row: RegExp,
  questions: Questions,
  format: string,
): readonly string[] {
  const lines = head.lines.filter((line) => line.trim() !== '').slice(0, SAMPLE);
  const rows = lines.filter((line) => row.test(line));
  return rows.length === lines.length || questions.optionValue('format') === format ? rows : [];
}
