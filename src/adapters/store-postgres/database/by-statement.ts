import type { Query } from './query.js';

/**
 * Divides items into groups, one group for each SQL statement that looks up its items in a table of observations. The keys in
 * these tables begin with a block, which is a group of 64 stations.
 *
 * Normally there is one group with all items. In a distributed database there is one group for each block: the database sends a
 * statement to the right server only if the statement compares the block with a constant.
 *
 * @param blockOfItem returns the block of an item
 * @param column the SQL name of the column that has the block of an item, for a statement with the items of several blocks
 * @returns the items of each statement, and the SQL expression with which the statement compares the block of the table
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
