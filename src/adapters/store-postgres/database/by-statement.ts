import type { Query } from './query.js';

/**
 * Divides items into groups, so that one SQL statement can look up all items of a group. The tables have a column `block`, the
 * number of a group of 64 stations.
 *
 * - If the database is not distributed, there is one group with all items.
 * - In a distributed database, there is one group for each block. The database sends a statement to the right server only if
 *   the statement compares the block with a constant, for example `chunk.block = 17`.
 *
 * @param blockOfItem returns the block of an item
 * @param column SQL name of a column with the block of each item, for example `deleted.block`
 * @returns for each group, its items, and the SQL with which the statement compares the block: `column`, or in a distributed
 *   database the number of the block, for example `17`
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
