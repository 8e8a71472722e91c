import type { SourceReport } from '#application/ports/source-kind.js';

/** The values of a report by variable, in the units in which they were sent. */
export function valuesOf(report: SourceReport | undefined): Record<string, number> {
  return Object.fromEntries((report?.readings ?? []).map(({ variable, value }) => [variable, value]));
}

/** The values of a report that have no variable, by field. */
export function fieldsOf(report: SourceReport | undefined): Record<string, number | string> {
  return Object.fromEntries((report?.fields ?? []).map(({ name, value }) => [name, value]));
}
