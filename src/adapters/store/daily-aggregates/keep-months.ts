import type { DailyAggregatesBlob } from '#adapters/formats/packed/packed-days.js';
import { areCovered } from '#adapters/packed-store/removal/covered-months.js';
import { type Operation, rowFrom, rowsFrom, send } from '../run-operation.js';
import { sqlList, type Part, sql } from '../sql.js';
import { raiseVersion } from '../versions.js';

/** Maximum number of months that one statement inserts. */
const KEPT_AT_ONCE = 24;

/**
 * Returns the end of the last expired month of a station, in milliseconds since 1970; -Infinity if no month has expired. A month
 * has expired if its rows were removed because of their age.
 */
export function* lastExpired(station: number): Operation<number> {
  const row = yield* rowFrom<{ last: number | null }>(
    sql`SELECT max(month_end) AS last FROM weatherd.removed_month WHERE station = ${station}`,
  );
  return row?.last ?? -Infinity;
}

/**
 * Moves the daily aggregates (stored sums of the days) of the months in `[from, to)` to a table of their own. They are kept
 * there, although the rows of these months are removed because of their age.
 *
 * Call this function before the first rows are removed, within the transaction that removes the rows.
 *
 * @param inBlock a part of the SQL conditions, such as `block = 3 AND`, that selects the block (group of 64 stations) of the
 *   station. Needed only if the tables are distributed over several servers
 * @returns true if the aggregates were moved. If at least one of the months has no aggregates, nothing is moved and the result is
 *   false
 */
export function* keepMonths(
  station: number,
  from: number,
  to: number,
  inBlock: Part = [],
): Operation<boolean> {
  // If an earlier removal was interrupted, it may have moved the daily aggregates of some months already. This removal continues
  // after these months.
  const begin = Math.max(from, yield* lastExpired(station));
  if (begin >= to) return true;
  const owner = yield* rowFrom<{ zone: string }>(
    sql`SELECT time_zone AS zone FROM weatherd.station WHERE number = ${station}`,
  );
  const months = yield* rowsFrom<DailyAggregatesBlob>(
    sql`SELECT start, "end", zone, data FROM weatherd.day_table WHERE ${inBlock} station = ${station}
          AND start >= ${begin} AND "end" <= ${to} AND zone = ${owner?.zone ?? ''} ORDER BY start`,
  );
  if (!areCovered(months, begin, to)) return false;
  for (let at = 0; at < months.length; at += KEPT_AT_ONCE) {
    const rows = months
      .slice(at, at + KEPT_AT_ONCE)
      .map(({ start, end, zone, data }) => sql`(${station}, ${start}, ${end}, ${zone}, ${data})`);
    yield* send(
      sql`INSERT INTO weatherd.removed_month (station, month_start, month_end, zone, data) VALUES ${sqlList(rows)}`,
    );
  }
  yield* send(sql`DELETE FROM weatherd.day_table WHERE ${inBlock} station = ${station} AND start < ${to}`);
  yield* raiseVersion('stations');
  return true;
}
