import type { ClimateDays, ClimateQuantity } from '#domain/weather/climate/climate-days.js';
import type { DaySource } from '#domain/weather/climate/provenance.js';
import type { Element, MeasuredElement } from '#domain/weather/climate/elements.js';
import type { YearSpan } from '#domain/weather/climate/normals.js';
import type { ClimateRow } from '#domain/weather/climate/validity.js';
import type { Station } from '#domain/weather/station.js';
import { usedZone } from '../../asked-zone.js';
import type { ClimateInput, FoundDays } from './read-climate-days.js';

/** A table of climate figures of a station, with one row for each period. */
export interface ClimateTable {
  readonly station: Station;
  /** Time zone of the days. */
  readonly timeZone: string;
  /** First and last year of the table; undefined without observations. */
  readonly years: YearSpan | undefined;
  /** Source of the daily values; undefined without observations. */
  readonly source: DaySource | undefined;
  /** Where the numbers of each element come from. */
  readonly sources: ReadonlyMap<string, DaySource>;
  readonly elements: readonly MeasuredElement[];
  /** Rows by the name of the section, for example `months` or `years`. */
  readonly sections: Readonly<Record<string, readonly ClimateRow[]>>;
}

/** A table of months and years. Its columns are climate elements, for example the mean temperature or the number of wet days. */
export interface ElementTable extends ClimateTable {
  readonly elements: readonly Element[];
}

/** A climate element, such as the mean temperature. A table has the element only if the station has observed `quantity`. */
type Observable = MeasuredElement & { readonly quantity: ClimateQuantity };

/** The sources of elements by name, in the order of the elements. @param days undefined without observations */
export function sourcesOfElements(
  days: ClimateDays | undefined,
  elements: readonly { readonly name: string; readonly quantity: ClimateQuantity }[],
): ReadonlyMap<string, DaySource> {
  if (days === undefined) return new Map();
  return new Map(elements.map(({ name, quantity }) => [name, days.provenance(quantity).source]));
}

/**
 * Builds a table of climate elements (such as the mean temperature), without the elements that the station has never observed.
 *
 * @param found the days of the station; undefined without observations
 */
export function climateTable<One extends Observable>(
  station: Station,
  { timeZone }: Pick<ClimateInput, 'timeZone'>,
  found: FoundDays | undefined,
  elements: readonly One[],
  sections: Readonly<Record<string, readonly ClimateRow[]>>,
): Omit<ClimateTable, 'elements'> & { readonly elements: readonly One[] } {
  const observed = elements.map(({ quantity }) => found?.days.isObserved(quantity) === true);
  const isKept = (_one: unknown, index: number) => observed[index] === true;
  const shown = Object.entries(sections).map(
    ([name, rows]) => [name, rows.map((row) => ({ ...row, figures: row.figures.filter(isKept) }))] as const,
  );
  const kept = elements.filter(isKept);
  return {
    station,
    timeZone: usedZone(station, timeZone),
    years: found?.years,
    source: found?.source,
    sources: sourcesOfElements(found?.days, kept),
    elements: kept,
    sections: Object.fromEntries(shown),
  };
}
