import type { Query } from './query.js';

/**
 * Divides items into groups. One SQL statement looks up all items of a group in a table of observations. The keys in these tables
 * begin with a block, which is a group of 64 stations.
 *
 * Normally there is one group with all items. In a distributed database there is one group for each block: the database sends a
 * statement to the right server only if the statement compares the block with a constant.
 *
 * @param blockOfItem returns the block of an item
 * @param column SQL name of a column with the block of each item. It is used if the database is not distributed
 * @returns for each group its items, and the SQL with which the statement compares the block: `column`, or the number of the
 *   block in a distributed database
 */
export function byStatement<T>(
  query: Query,
  items: readonly T[],
  blockOfItem: (item: T) => number,
  column: string,
): (readonly [items: readonly T[], block: string])[] {
  if (items.length === 0) return [];
  if (!query.isDistributed) return [[items, column]];
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const block = blockOfItem(item);
    const group = groups.get(block);
    if (group === undefined) groups.set(block, [item]);
    else group.push(item);
  }
  return [...groups].map(([block, group]) => [group, String(block)]);
}
