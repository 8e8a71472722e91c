import { DomainError } from '../domain/domain-error.js';
import type { Station } from '../domain/station.js';
import { type Variable, variableNamed } from '../domain/variables.js';
import type { Inventory, ObservationStore } from './ports/observation-store.js';

/** A stretch of time: `[from, to)` in milliseconds since 1970-01-01T00:00:00Z, or as far as there is something. */
export interface AskedRange {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The stretch that is meant; an empty one where there is nothing.
 *
 * @throws DomainError REQUEST_INVALID when it ends before it begins
 */
export async function rangeOf(
  observations: ObservationStore,
  { number }: Station,
  { from, to }: AskedRange,
): Promise<Range> {
  if (from !== undefined && to !== undefined) return ordered(from, to);
  const [inventory] = await observations.inventory([number]);
  const { first, last } = inventory as Inventory;
  const begin = from ?? first ?? to ?? 0;
  return ordered(begin, to ?? Math.max(begin, last === null ? begin : last + 1));
}

function ordered(from: number, to: number): Range {
  if (to < from) throw new DomainError('REQUEST_INVALID', 'to lies before from.');
  return { from, to };
}

/** @throws DomainError REQUEST_INVALID for a name that is not in the catalogue */
export function variablesNamed(names: readonly string[]): Variable[] {
  return [...new Set(names)].map((name) => {
    const variable = variableNamed(name);
    if (variable !== undefined) return variable;
    throw new DomainError('REQUEST_INVALID', `There is no variable ${JSON.stringify(name)}.`);
  });
}
