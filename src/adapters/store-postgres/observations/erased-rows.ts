import type { Query } from '../database/query.js';

/**
 * Number of rows that one transaction deletes. With many stations each row of one station is on another page, so each
 * may cost a disk read.
 */
export const ERASED_AT_ONCE = 1000;

/**
 * Deletes the oldest rows of a permanently removed station, within the transaction of the caller. Each call begins at
 * the time where the last one ended. An index keeps deleted entries for a while, so searching from the beginning would
 * take longer with each call.
 *
 * @param most largest number of rows
 * @returns whether it must be called again
 */
export async function eraseOldest(query: Query, number: number, most: number): Promise<boolean> {
  const { rows: marked } = await query<{ reached: number | null }>(
    'SELECT reached FROM weatherd.erased_station WHERE number = $1 FOR UPDATE',
    [number],
  );
  if (marked[0] === undefined) return false;
  const { reached } = marked[0];
  const after = '($2::bigint IS NULL OR time > $2)';
  const { rows: found } = await query<{ last: number | null }>(
    `SELECT max(time) AS last FROM (
       SELECT time FROM weatherd.observation WHERE station = $1 AND ${after} ORDER BY time LIMIT $3) AS oldest`,
    [number, reached, most],
  );
  const last = found[0]?.last ?? null;
  if (last === null) {
    await query('DELETE FROM weatherd.erased_station WHERE number = $1', [number]);
    return false;
  }
  await query(`DELETE FROM weatherd.observation WHERE station = $1 AND ${after} AND time <= $3`, [
    number,
    reached,
    last,
  ]);
  await query('UPDATE weatherd.erased_station SET reached = $2 WHERE number = $1', [number, last]);
  return true;
}
