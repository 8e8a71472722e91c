import { DomainError } from '#domain/domain-error.js';
import { suggestion } from '#domain/nearest-name.js';
import { DERIVED_OF_PERIODS } from '#domain/weather/derived/period-quantities.js';
import { DERIVED } from '#domain/weather/derived/quantities.js';
import type { QuantityDescription } from '#domain/weather/derived/quantity.js';

const NAMES = [...DERIVED, ...DERIVED_OF_PERIODS].map(({ name }) => name);

/**
 * Finds quantities by name. A repeated name counts once.
 *
 * @param known the quantities at an instant, or the quantities of periods
 * @throws DomainError REQUEST_INVALID for a name that is not known
 */
export function quantitiesNamed<T extends QuantityDescription>(
  known: readonly T[],
  names: readonly string[],
): T[] {
  return [...new Set(names)].map((name) => {
    const quantity = known.find((candidate) => candidate.name === name);
    if (quantity !== undefined) return quantity;
    throw new DomainError('REQUEST_INVALID', reason(name));
  });
}

function reason(name: string): string {
  const quoted = JSON.stringify(name);
  if (DERIVED.some((quantity) => quantity.name === name)) {
    return `${quoted} is a quantity at an instant: request it without interval.`;
  }
  if (DERIVED_OF_PERIODS.some((quantity) => quantity.name === name)) {
    return `${quoted} is a quantity of an hour or a day: request it with interval=hour or interval=day.`;
  }
  return `There is no derived quantity ${quoted}.${suggestion(name, NAMES)}`;
}
