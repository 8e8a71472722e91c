import { areCovered } from '#adapters/packed-store/removal/covered-months.js';
import { commitTogether } from '../database/distribution.js';
import type { Query } from '../database/query.js';
import { blockOf } from '../observations/blocks.js';
import { tuples } from '../observations/tuples.js';

/** End of the last month of a station whose rows were removed; -Infinity if there is none. */
export async function lastRemoved(query: Query, station: number): Promise<number> {
  const { rows } = await query<{ last: number | null }>(
    'SELECT max(month_end) AS last FROM weatherd.removed_month WHERE station = $1',
    [station],
  );
  return rows[0]?.last ?? -Infinity;
}

/**
 * Keeps the tables of days of months in `[from, to)` whose rows are going to be removed because of their age, within the
 * transaction of the caller, which has locked the block for changing.
 *
 * @returns false, having done nothing, if a month has no table
 */
export async function keepMonths(query: Query, station: number, from: number, to: number): Promise<boolean> {
  // A removal that was interrupted is continued.
  const begin = Math.max(from, await lastRemoved(query, station));
  if (begin >= to) return true;
  const { rows: zones } = await query<{ zone: string }>(
    'SELECT time_zone AS zone FROM weatherd.station WHERE number = $1',
    [station],
  );
  const zone = zones[0]?.zone ?? '';
  const { rows: months } = await query<{ start: number; end: number; data: Buffer }>(
    `SELECT start, "end", data FROM weatherd.day_table
     WHERE block = $1 AND station = $2 AND start >= $3 AND "end" <= $4 AND zone = $5 ORDER BY start`,
    [blockOf(station), station, begin, to, zone],
  );
  if (!areCovered(months, begin, to)) return false;
  await commitTogether(query);
  for (const [values, parameters] of tuples(
    months.map(({ start, end, data }) => [station, start, end, zone, data]),
  ))
    await query(
      `INSERT INTO weatherd.removed_month (station, month_start, month_end, zone, data) VALUES ${values}
       ON CONFLICT (station, month_start)
       DO UPDATE SET month_end = excluded.month_end, zone = excluded.zone, data = excluded.data`,
      parameters,
    );
  await query('DELETE FROM weatherd.day_table WHERE block = $1 AND station = $2 AND start < $3', [
    blockOf(station),
    station,
    to,
  ]);
  await query('UPDATE weatherd.station_version SET version = version + 1');
  return true;
}
