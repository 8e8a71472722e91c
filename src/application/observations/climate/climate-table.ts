import type { ClimateQuantity } from '../../../domain/weather/climate/day-values.js';
import type { Measured } from '../../../domain/weather/climate/elements.js';
import type { YearSpan } from '../../../domain/weather/climate/normals.js';
import type { ClimateRow } from '../../../domain/weather/climate/validity.js';
import type { Station } from '../../../domain/weather/station.js';
import type { FoundDays } from './read-climate-days.js';

/** Figures of several periods. */
export interface ClimateTable {
  readonly station: Station;
  /** Undefined without observations. */
  readonly years: YearSpan | undefined;
  readonly elements: readonly Measured[];
  /** By name: `months`, `years`. */
  readonly sections: Readonly<Record<string, readonly ClimateRow[]>>;
}

/** An element with the quantity that its station must have observed. */
type Observable = Measured & { readonly quantity: ClimateQuantity };

/**
 * A table without the elements that were never observed.
 *
 * @param found undefined without observations
 */
export function climateTable<Element extends Observable>(
  station: Station,
  found: FoundDays | undefined,
  elements: readonly Element[],
  sections: Readonly<Record<string, readonly ClimateRow[]>>,
): ClimateTable & { readonly elements: readonly Element[] } {
  const kept = elements.map(({ quantity }) => found?.days.isObserved(quantity) === true);
  const keep = (_one: unknown, index: number) => kept[index] === true;
  const shown = Object.entries(sections).map(
    ([name, rows]) => [name, rows.map((row) => ({ ...row, figures: row.figures.filter(keep) }))] as const,
  );
  return {
    station,
    years: found?.years,
    elements: elements.filter(keep),
    sections: Object.fromEntries(shown),
  };
}
