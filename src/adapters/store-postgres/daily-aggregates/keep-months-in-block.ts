import { keepMonths as keep } from '#adapters/store/daily-aggregates/keep-months.js';
import { sql } from '#adapters/store/sql.js';
import { commitTogether } from '../database/distribution.js';
import type { Query } from '../database/query.js';
import { runOver } from '../database/statements.js';
import { blockOf } from '../observations/blocks.js';

/**
 * Runs the operation `keepMonths`, which keeps the stored sums of months whose rows are about to be removed. It runs within the
 * transaction of the caller, which has locked the block (group of 64 stations) for changing.
 */
export async function keepMonthsInBlock(
  query: Query,
  station: number,
  from: number,
  to: number,
): Promise<boolean> {
  await commitTogether(query);
  return await runOver(query, keep(station, from, to, sql`block = ${blockOf(station)} AND`));
}
