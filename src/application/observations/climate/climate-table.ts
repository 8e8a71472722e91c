import type { ClimateQuantity } from '#domain/weather/climate/climate-days.js';
import type { DaySource } from '#domain/weather/climate/day-sources.js';
import type { Element, MeasuredElement } from '#domain/weather/climate/elements.js';
import type { YearSpan } from '#domain/weather/climate/normals.js';
import type { ClimateRow } from '#domain/weather/climate/validity.js';
import type { Station } from '#domain/weather/station.js';
import { usedZone } from '../read/observation-query.js';
import type { ClimateInput, FoundDays } from './read-climate-days.js';

/** Figures of several periods. */
export interface ClimateTable {
  readonly station: Station;
  /** That of the days. */
  readonly timeZone: string;
  /** Undefined without observations. */
  readonly years: YearSpan | undefined;
  /** Where the values of days come from; undefined without observations. */
  readonly source: DaySource | undefined;
  readonly elements: readonly MeasuredElement[];
  /** By name: `months`, `years`. */
  readonly sections: Readonly<Record<string, readonly ClimateRow[]>>;
}

/** Figures of the elements of months and years. */
export interface ElementTable extends ClimateTable {
  readonly elements: readonly Element[];
}

/** An element with the quantity that its station must have observed. */
type Observable = MeasuredElement & { readonly quantity: ClimateQuantity };

/**
 * A table without the elements that were never observed.
 *
 * @param found undefined without observations
 */
export function climateTable<One extends Observable>(
  station: Station,
  { timeZone }: Pick<ClimateInput, 'timeZone'>,
  found: FoundDays | undefined,
  elements: readonly One[],
  sections: Readonly<Record<string, readonly ClimateRow[]>>,
): ClimateTable & { readonly elements: readonly One[] } {
  const kept = elements.map(({ quantity }) => found?.days.isObserved(quantity) === true);
  const keep = (_one: unknown, index: number) => kept[index] === true;
  const shown = Object.entries(sections).map(
    ([name, rows]) => [name, rows.map((row) => ({ ...row, figures: row.figures.filter(keep) }))] as const,
  );
  return {
    station,
    timeZone: usedZone(station, timeZone),
    years: found?.years,
    source: found?.source,
    elements: elements.filter(keep),
    sections: Object.fromEntries(shown),
  };
}
