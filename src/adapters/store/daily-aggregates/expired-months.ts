import type { DailyAggregatesBlob } from '#adapters/formats/packed/packed-days.js';
import { areCovered } from '#adapters/packed-store/removal/covered-months.js';
import { type Operation, rowFrom, rowsFrom, send } from '../operation.js';
import { sqlList, type Part, sql } from '../sql.js';
import { raiseVersion } from '../versions.js';

/** Largest number of tables that one statement keeps. */
const KEPT_AT_ONCE = 24;

/** End of the last month of a station whose rows were removed; -Infinity if there is none. */
export function* lastRemoved(station: number): Operation<number> {
  const row = yield* rowFrom<{ last: number | null }>(
    sql`SELECT max(month_end) AS last FROM weatherd.removed_month WHERE station = ${station}`,
  );
  return row?.last ?? -Infinity;
}

/**
 * Keeps the tables of days of months in `[from, to)` whose rows are going to be removed because of their age, within the transaction
 * of the caller, before the first rows are removed.
 *
 * @param inBlock a condition of tables that are distributed, with AND behind it; an empty list where none are
 * @returns false, having done nothing, if a month has no table
 */
export function* keepMonths(
  station: number,
  from: number,
  to: number,
  inBlock: Part = [],
): Operation<boolean> {
  // A removal that was interrupted is continued.
  const begin = Math.max(from, yield* lastRemoved(station));
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
