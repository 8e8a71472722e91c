import { forgetStation } from '#adapters/store/stations/remove-station.js';
import { dailySeriesOf, seriesOf } from '#adapters/packed-store/days/daily-series.js';
import { commitTogether } from '../database/distribution.js';
import type { Query } from '../database/query.js';
import { runOver } from '../database/statements.js';
import { mergeBlock } from '../observations/block-merger.js';
import { blockOf, lockForChanging, consumeRunId } from '../observations/blocks.js';
import { RunCache } from '../observations/run-cache.js';

/** Maximum number of chunks that one transaction deletes. A chunk contains the packed rows of 1, 8 or 64 days of a station. */
export const ERASED_AT_ONCE = 1000;

/**
 * Removes the state of a station (newest values and totals), within the transaction of the caller, which removes the station.
 *
 * The rows of the station may still be in runs (packed rows of one commit), together with rows of the other stations of its block
 * (group of 64 stations). All runs of the block are therefore merged first: their rows are moved into chunks, each of which has
 * rows of one station only. Another operation can later delete the chunks of the removed station.
 *
 * No writer adds new rows to the station, because each writer first reads which stations exist.
 */
export async function removeState(query: Query, number: number): Promise<void> {
  const block = blockOf(number);
  await commitTogether(query);
  await lockForChanging(query, [block]);
  await mergeBlock(query, block, new RunCache(), undefined, Infinity);
  const series = seriesOf([number]);
  await query('DELETE FROM weatherd.newest WHERE block = $1 AND station = ANY($2)', [block, series]);
  await query('DELETE FROM weatherd.day_table WHERE block = $1 AND station = $2', [block, number]);
  await consumeRunId(query, block);
  // A damaged blob can contain packed rows of several stations. It stays in the table `damaged` until the last of these stations
  // is removed.
  for (const one of series)
    await query('UPDATE weatherd.damaged SET stations = array_remove(stations, $2) WHERE block = $1', [
      block,
      one,
    ]);
  await removeEmptyDamage(query, block);
}

/**
 * Marks the daily values of a permanently removed station as rows that must be deleted, if there are any, within the transaction
 * of the caller. They are marked by themselves, because they have chunks of their own.
 */
export async function markDailyValues(query: Query, number: number): Promise<void> {
  const series = dailySeriesOf(number);
  const own = [blockOf(series), series];
  const { rows } = await query('SELECT FROM weatherd.chunk WHERE block = $1 AND station = $2 LIMIT 1', own);
  if (rows.length > 0) await query('INSERT INTO weatherd.erased_station (number) VALUES ($1)', [series]);
}

/**
 * Deletes the oldest chunks (packed rows of some days) of a permanently removed station, within the transaction of the caller.
 * Each call continues at the day at which the last call ended. A search from the beginning would take longer with each call,
 * because an index keeps deleted entries for a while.
 *
 * @param most maximum number of chunks
 * @returns whether chunks may be left, so that another call is needed
 */
export async function eraseOldestOfBoth(query: Query, number: number, most: number): Promise<boolean> {
  return (await eraseOldest(query, dailySeriesOf(number), most)) || (await eraseOldest(query, number, most));
}

async function eraseOldest(query: Query, number: number, most: number): Promise<boolean> {
  const { rows: marked } = await query<{ reached: number | null }>(
    'SELECT reached FROM weatherd.erased_station WHERE number = $1 FOR UPDATE',
    [number],
  );
  if (marked[0] === undefined) return false;
  const { reached } = marked[0];
  const after = 'block = $1 AND station = $2 AND ($3::integer IS NULL OR day > $3)';
  const own = [blockOf(number), number, reached];
  const { rows: found } = await query<{ last: number | null }>(
    `SELECT max(day) AS last FROM (
       SELECT day FROM weatherd.chunk WHERE ${after} ORDER BY day LIMIT $4) AS oldest`,
    [...own, most],
  );
  const last = found[0]?.last ?? null;
  if (last === null) {
    await runOver(query, forgetStation(number));
    return false;
  }
  await query(`DELETE FROM weatherd.chunk WHERE ${after} AND day <= $4`, [...own, last]);
  await query('UPDATE weatherd.erased_station SET reached = $2 WHERE number = $1', [number, last]);
  return true;
}

async function removeEmptyDamage(query: Query, block: number): Promise<void> {
  const { rowCount } = await query("DELETE FROM weatherd.damaged WHERE block = $1 AND stations = '{}'", [
    block,
  ]);
  if (rowCount === 0) return;
  await query(
    'UPDATE weatherd.block SET damaged = (SELECT count(*) FROM weatherd.damaged WHERE block = $1) WHERE block = $1',
    [block],
  );
}
