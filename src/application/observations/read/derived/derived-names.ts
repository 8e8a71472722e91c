import { DomainError } from '#domain/domain-error.js';
import { suggestion } from '#domain/nearest-name.js';
import { FEELS_LIKE } from '#domain/weather/derived/comfort/feels-like.js';
import { DERIVED_OF_PERIODS } from '#domain/weather/derived/period-quantities.js';
import { DERIVED } from '#domain/weather/derived/quantities.js';
import type { QuantityDescription } from '#domain/weather/derived/quantity.js';

const AT_AN_INSTANT = [...DERIVED.map(({ name }) => name), FEELS_LIKE];
const OF_PERIODS = DERIVED_OF_PERIODS.map(({ name }) => name);

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
  if (AT_AN_INSTANT.includes(name)) {
    return `${quoted} is a quantity at an instant: request it without interval.`;
  }
  if (OF_PERIODS.includes(name)) {
    return `${quoted} is a quantity of an hour or a day: request it with interval=hour or interval=day.`;
  }
  return `There is no derived quantity ${quoted}.${suggestion(name, [...AT_AN_INSTANT, ...OF_PERIODS])}`;
}
