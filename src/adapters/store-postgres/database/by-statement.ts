import type { Query } from './query.js';

/**
 * Groups places for statements that look each of them up in a table of observations. One statement does it for all blocks.
 * A distributed database sends such a statement to a worker only if it is limited to one block by a constant, so there each
 * block has its own.
 *
 * @param column the block of a place in the statement
 * @returns the places of each statement, and what it must compare the block of the table with
 */
export function byStatement<T>(
  query: Query,
  places: readonly T[],
  blockOfPlace: (place: T) => number,
  column: string,
): (readonly [places: readonly T[], block: string])[] {
  if (places.length === 0) return [];
  if (!query.isDistributed) return [[places, column]];
  const groups = new Map<number, T[]>();
  for (const place of places) {
    const block = blockOfPlace(place);
    const group = groups.get(block);
    if (group === undefined) groups.set(block, [place]);
    else group.push(place);
  }
  return [...groups].map(([block, group]) => [group, String(block)]);
}
