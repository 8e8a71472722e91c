import { DomainError } from '#domain/domain-error.js';
import type { RowRule } from './file-plan.js';

/**
 * The rules that skip rows, from filters of a person such as `type=FM-15`. Several filters of one column allow several texts.
 *
 * @param place returns the position of a column by its heading
 * @throws DomainError REQUEST_INVALID for a filter without `=`, or for an unknown column
 */
export function rowFilters(filters: readonly string[], place: (column: string) => number): RowRule[] {
  const texts = new Map<string, string[]>();
  for (const filter of filters) {
    const at = filter.indexOf('=');
    if (at < 1)
      throw new DomainError('REQUEST_INVALID', `The filter ${JSON.stringify(filter)} must be COLUMN=TEXT.`);
    const column = filter.slice(0, at);
    texts.set(column, [...(texts.get(column) ?? []), filter.slice(at + 1).trim()]);
  }
  return [...texts].map(([column, keep]) => ({
    at: place(column),
    keep,
    reason: `with another text in ${JSON.stringify(column)} than ${keep.join(', ')}`,
  }));
}
