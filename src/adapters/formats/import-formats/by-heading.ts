import type { FileHead } from '../files/file-head.js';
import type { ColumnPlan, PlannedColumn } from '../files/file-plan.js';

/** How a column of a file is read, for example its variable and its unit, without the position and the heading of the column. */
export type HeadingField = Omit<PlannedColumn, 'kind' | 'at' | 'heading'>;

/** Percent of the sky in one okta. */
export const OKTA = 12.5;

export interface HeadingRules {
  /** Columns by heading. */
  readonly fields: Readonly<Record<string, HeadingField>>;
  /**
   * Positions of fields that are used, but are not columns of values: the time, the station, and fields that decide whether a row
   * is skipped (`RowRule`).
   */
  readonly usedFields: readonly number[];
  /**
   * Returns the reason why a column is left out. If the function returns undefined, the reason is `the service has no such
   * variable`.
   */
  readonly reasonOf?: (heading: string) => string | undefined;
}

/**
 * The columns of a file whose headings are the codes of one weather service. If several columns have the same heading, or several
 * headings mean the same variable, only the first of these columns is read.
 */
export function columnsByHeading(
  headings: readonly string[],
  { fields, usedFields, reasonOf }: HeadingRules,
): ColumnPlan[] {
  const variables = new Set<string>();
  return headings.flatMap((heading, at): ColumnPlan[] => {
    if (usedFields.includes(at) || heading === '') return [];
    const field = Object.hasOwn(fields, heading) ? fields[heading] : undefined;
    if (field === undefined) {
      const reason = reasonOf?.(heading) ?? 'the service has no such variable';
      return [{ kind: 'left out', at, heading, reason }];
    }
    if (variables.has(field.variable)) {
      return [{ kind: 'left out', at, heading, reason: `another column of ${field.variable}` }];
    }
    variables.add(field.variable);
    return [{ kind: 'value', at, heading, ...field }];
  });
}

/** Largest number of lines that are examined before a table. */
const PREAMBLE = 60;

/**
 * Finds the headings of a table with lines before it. The delimiter is a comma.
 *
 * @param names headings that the table has
 * @returns the headings and the number of their line, from 1; undefined if there is no such table
 */
export function headingsBelow(
  head: FileHead,
  names: readonly string[],
): { readonly line: number; readonly headings: readonly string[] } | undefined {
  for (let line = 1; line <= Math.min(PREAMBLE, head.lines.length); line += 1) {
    const headings = head.fields(line, ',');
    if (names.every((name) => headings.includes(name))) return { line, headings };
  }
  return undefined;
}
