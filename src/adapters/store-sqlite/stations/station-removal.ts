import type { Database } from 'better-sqlite3';
import { forgetStation, numberToRemove, removeStation } from '#adapters/store/stations/remove-station.js';
import type { RemovalOptions } from '#application/ports/station-store.js';
import { runOn } from '../database/statements.js';
import { CHECKED_STATIONS } from '../ledgers/station-names.js';
import { seriesOf } from '#adapters/packed-store/days/daily-series.js';
import { allKeysOf } from '../observations/key-range.js';
import { expireStates } from '../observations/newest-table.js';

/** Maximum time in milliseconds for which deleting the chunks of a station (blobs with its rows) may delay other operations. */
const ERASE_SLICE = 50;

/**
 * The removal of stations, in the thread that owns the file.
 *
 * @param eraseSlice see `ERASE_SLICE`
 */
export function stationRemoval(
  database: Database,
  mergeRuns: (station: number) => void,
  eraseSlice = ERASE_SLICE,
) {
  const removeChunk = database.prepare(
    'DELETE FROM chunk WHERE key = (SELECT min(key) FROM chunk WHERE key BETWEEN ? AND ?)',
  );
  const isErased = database.prepare('SELECT 1 FROM erased_station WHERE number = ?');
  // Damaged blobs are kept in the table `damaged`. A damaged blob with rows of several stations stays there until the last of
  // these stations is removed.
  const removeFromDamaged = database.prepare<{ number: number }>(
    `UPDATE damaged SET stations =
       (SELECT json_group_array(value) FROM json_each(damaged.stations) WHERE value <> @number)
     WHERE @number IN (SELECT value FROM json_each(damaged.stations))`,
  );
  const removeDamaged = database.prepare("DELETE FROM damaged WHERE stations = '[]'");
  const removeDailyAggregates = database.prepare('DELETE FROM day_table WHERE station = ?');
  const removeNewest = database.prepare('DELETE FROM newest WHERE station = ?');

  const find = (id: string, hiddenUntil: number | undefined) =>
    runOn(database, numberToRemove(id, hiddenUntil));
  const removeAll = database.transaction((id: string, { hiddenUntil, ...along }: RemovalOptions): boolean => {
    // The station is searched again within the transaction, because another process may have restored it.
    const number = find(id, hiddenUntil);
    if (number === undefined) return false;
    const before = runOn(database, CHECKED_STATIONS.find.begin(id));
    for (const series of seriesOf([number])) {
      removeNewest.run(series);
      removeFromDamaged.run({ number: series });
    }
    removeDamaged.run();
    expireStates(database);
    runOn(database, removeStation(number, before, along));
    return true;
  });
  const eraseRows = database.transaction((number: number): boolean => {
    if (isErased.get(number) === undefined) return false;
    const until = performance.now() + eraseSlice;
    for (const series of seriesOf([number])) {
      const [from, to] = allKeysOf(series);
      while (removeChunk.run(from, to).changes > 0) {
        if (performance.now() >= until) return true;
      }
    }
    // The station is removed from the rows of the table `damaged` once more, because damaged blobs may have been moved there
    // while the rows of the station were deleted.
    for (const series of seriesOf([number])) removeFromDamaged.run({ number: series });
    removeDamaged.run();
    removeDailyAggregates.run(number);
    runOn(database, forgetStation(number));
    return false;
  });
  return {
    eraseRows: (number: number): boolean => eraseRows.immediate(number),
    removeStation: (id: string, options: RemovalOptions = {}): boolean => {
      const number = find(id, options.hiddenUntil);
      if (number === undefined) return false;
      // Afterwards all observations of the station are in chunks, which belong to it alone.
      for (const series of seriesOf([number])) mergeRuns(series);
      return removeAll.immediate(id, options);
    },
  };
}
