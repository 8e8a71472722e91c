import type { ColumnPlan, PlannedColumn } from '../files/file-plan.js';

/** What a column is: everything but its place. */
export type HeadingField = Omit<PlannedColumn, 'kind' | 'at' | 'heading'>;

/** Per cent of the sky in one okta. */
export const OKTA = 12.5;

export interface HeadingRules {
  /** By heading. */
  readonly fields: Readonly<Record<string, HeadingField>>;
  /** Places that are read otherwise: time, station, rules of rows. They are no columns. */
  readonly taken: readonly number[];
  /** Why a column is left out; `no variable of the service` where it tells nothing. */
  readonly reasonOf?: (heading: string) => string | undefined;
}

/**
 * The columns of a file whose headings are codes of one service. Of several columns of one heading, and of several headings
 * of one variable, the first is taken.
 */
export function columnsByHeading(
  headings: readonly string[],
  { fields, taken, reasonOf }: HeadingRules,
): ColumnPlan[] {
  const variables = new Set<string>();
  return headings.flatMap((heading, at): ColumnPlan[] => {
    if (taken.includes(at) || heading === '') return [];
    const field = Object.hasOwn(fields, heading) ? fields[heading] : undefined;
    if (field === undefined) {
      return [{ kind: 'left out', at, heading, reason: reasonOf?.(heading) ?? 'no variable of the service' }];
    }
    if (variables.has(field.variable)) {
      return [{ kind: 'left out', at, heading, reason: `another column of ${field.variable}` }];
    }
    variables.add(field.variable);
    return [{ kind: 'value', at, heading, ...field }];
  });
}
