import type { Database } from 'better-sqlite3';
import { areCovered } from '#adapters/packed-store/removal/covered-months.js';

/**
 * Keeps the tables of days of months whose rows are going to be removed because of their age. It must be called within a
 * transaction, before the first rows are removed.
 *
 * @returns a function with the number of the station and `[from, to)`; it returns false, having done nothing, if a month has
 *   no table
 */
export function monthKeeper(database: Database) {
  const last = database
    .prepare<[number], number | null>('SELECT max(month_end) FROM removed_month WHERE station = ?')
    .pluck();
  const select = database.prepare<[Record<string, number>], { start: number; end: number }>(
    `SELECT start, end FROM day_table
     WHERE station = @station AND start >= @from AND end <= @to
       AND zone = (SELECT time_zone FROM station WHERE number = @station) ORDER BY start`,
  );
  const move = database.prepare(
    `INSERT OR REPLACE INTO removed_month (station, month_start, month_end, zone, data)
     SELECT station, start, end, zone, data FROM day_table
     WHERE station = @station AND start >= @from AND end <= @to
       AND zone = (SELECT time_zone FROM station WHERE number = @station)`,
  );
  const remove = database.prepare('DELETE FROM day_table WHERE station = @station AND start < @to');
  const changed = database.prepare('UPDATE station_version SET version = version + 1');
  return (station: number, from: number, to: number): boolean => {
    // A removal that was interrupted is continued.
    const begin = Math.max(from, last.get(station) ?? -Infinity);
    if (begin >= to) return true;
    const range = { station, from: begin, to };
    if (!areCovered(select.all(range), begin, to)) return false;
    move.run(range);
    remove.run({ station, to });
    changed.run();
    return true;
  };
}
