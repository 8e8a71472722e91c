import type { Inventory, Options, Reply } from '../../api.js';

type Months = '/v1/stations/{id}/climate/months';
/** Where the values of days come from. */
export type Source = NonNullable<NonNullable<Options<Months, 'get'>[0]['query']>['source']>;
/** The source of each element of a table. */
export type Sources = Reply<Months, 'get'>['sources'];

/** The marks of numbers in a table with several sources. */
export const MARKS: Readonly<Record<Source, string>> = { observations: '', daily: '*', both: '†' };

/**
 * The sources of a station that has observations and official daily values; empty for other stations. The first one is chosen before
 * the visitor chooses: with `both`, no year is empty that has values.
 */
export function sourcesOf({ variables }: Inventory): readonly Source[] {
  const hasBoth =
    variables.some((name) => name.startsWith('daily_')) &&
    ['air_temperature', 'precipitation_amount'].some((name) => variables.includes(name));
  return hasBoth ? ['both', 'observations', 'daily'] : [];
}

/** The source of all columns; undefined if there are several. */
export function commonSource(
  sources: Sources,
  columns: readonly { readonly element: string }[],
): Source | undefined {
  const [first, ...others] = new Set(columns.map(({ element }) => sources[element]));
  return first === 'both' || others.length > 0 ? undefined : first;
}
