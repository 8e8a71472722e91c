import type { Query } from '../database/query.js';

/**
 * Rows that are deleted at once. A row of a station that reports with many others lies on a page of its own, so each may cost
 * a read of the disk.
 */
export const ERASED_AT_ONCE = 1000;

/**
 * Deletes the oldest rows of a station that was removed for good, within somebody's transaction. Each call begins where the
 * last has ended: an index keeps deleted rows for a while, and to pass all of them again would take longer with each call.
 *
 * @param most rows
 * @returns whether it is to be called again
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
