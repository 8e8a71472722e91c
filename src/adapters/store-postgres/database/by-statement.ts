import type { Query } from './query.js';

/**
 * Groups items for statements that look up each item in a table of observations. The keys in these tables begin with a block,
 * which is a group of 64 stations. Normally one statement looks up the items of all blocks. In a distributed database each block
 * needs a separate statement: the database sends a statement to the right server only if the statement compares the block with a
 * constant.
 *
 * @param blockOfItem the block of an item
 * @param column the column with the block of an item in the statement
 * @returns the items of each statement, and the SQL expression to which the statement compares the block of the table
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
