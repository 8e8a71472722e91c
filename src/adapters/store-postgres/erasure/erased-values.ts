import type { EraseRange, EraseStep } from '../../../application/ports/observation-store.js';
import { MILLISECONDS } from '../../../domain/time.js';
import { ChangedRows } from '../../../domain/weather/changed-rows.js';
import { concatenate } from '../../../domain/weather/merge-series.js';
import { lowerBound, sliceSeries } from '../../../domain/weather/series.js';
import { eraseValues } from '../../../domain/weather/undo/erase-values.js';
import { UndoneStations } from '../../packed-store/undo-days.js';
import { putAside } from '../damage/damaged-blobs.js';
import type { Query } from '../database/query.js';
import { keepMonths } from '../day-tables/removed-months.js';
import { TableDrops } from '../day-tables/dropped-tables.js';
import { mergeBlock } from '../observations/block-merger.js';
import { blockOf, lockForChanging, useUpRun } from '../observations/blocks.js';
import { FetchedChunks } from '../observations/chunk-rows.js';
import { dayNumber } from '../observations/observation-reader.js';
import { rebuildStates } from '../observations/rebuilt-states.js';
import { RunCache } from '../observations/run-cache.js';
import { StationRulesCache } from '../observations/station-rules.js';

/** Number of rows of which one transaction erases values. Whole days are taken until there are so many. */
const ROWS_AT_ONCE = 4096;
/** Largest number of days of which one transaction erases values. */
const DAYS_AT_ONCE = 366;

/**
 * Erases the oldest values of the first range, within the transaction of the caller. A run cannot remove a value, so the runs of
 * the block are merged first.
 */
export async function eraseSome(query: Query, ranges: readonly EraseRange[]): Promise<EraseStep> {
  const changed = new ChangedRows();
  const [range, ...others] = ranges;
  const nothing = { rest: others, erased: [], changes: changed.changes };
  if (range === undefined || range.from >= range.to) return nothing;
  const { station, from, to } = range;
  const block = blockOf(station);
  // As in every transaction that changes stations, the version is locked first.
  if (range.isExpiry === true) await query('SELECT FROM weatherd.station_version FOR UPDATE');
  await lockForChanging(query, [block]);
  const rules = (await new StationRulesCache().read(query)).get(station);
  if (rules === undefined) return nothing;
  await mergeBlock(query, block, new RunCache(), undefined, Infinity);
  if (range.isExpiry === true && !(await keepMonths(query, station, from, to))) return nothing;
  const own = await oldestDays(query, station, dayNumber(from), dayNumber(to - 1));
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return nothing;
  const end = Math.min(to, (last + 1) * MILLISECONDS.day);
  const rest = end < to ? [{ ...range, from: end }, ...others] : others;
  // Rows of the day before and of the day after are needed to judge.
  const days = [first - 1, ...own, last + 1];
  const chunks = new FetchedChunks();
  await chunks.fetch(
    query,
    days.map((day) => ({ station, first: day, last: day })),
  );
  const stored = days.map((day) => chunks.day(station, day)).filter((series) => series !== undefined);
  const reverted = eraseValues(concatenate(stored), { ...range, to: end }, rules);
  for (const damage of chunks.damage) await putAside(query, block, damage);
  const { series, touched, removed, takenBack, span } = reverted;
  if (span === undefined) return { ...nothing, rest };
  for (const day of days) {
    const [midnight, next] = [day * MILLISECONDS.day, (day + 1) * MILLISECONDS.day];
    const [begin, stop] = [lowerBound(series.times, midnight), lowerBound(series.times, next)];
    const hasRemoved = lowerBound(removed, midnight) < lowerBound(removed, next);
    if (hasRemoved || touched.subarray(begin, stop).includes(1))
      chunks.put(station, day, sliceSeries(series, begin, stop));
  }
  await chunks.write(query);
  const undone = new UndoneStations();
  undone.note(station, reverted);
  const revision = await useUpRun(query, block);
  await rebuildStates(query, undone, () => revision);
  if (range.isExpiry !== true) {
    const dayTables = new TableDrops();
    dayTables.drop(station, ...span);
    await dayTables.write(query);
  }
  changed.add(station, ...span, revision);
  return {
    rest,
    erased: [{ station, rows: takenBack.rows, values: takenBack.values }],
    changes: changed.changes,
  };
}

async function oldestDays(query: Query, station: number, first: number, last: number): Promise<number[]> {
  const { rows } = await query<{ day: number }>(
    `SELECT day FROM (
       SELECT day, rows, sum(rows) OVER (ORDER BY day) AS total FROM (
         SELECT day, rows FROM weatherd.chunk
         WHERE block = $1 AND station = $2 AND day >= $3 AND day <= $4 ORDER BY day LIMIT ${DAYS_AT_ONCE}) AS oldest) AS counted
     WHERE total - rows < ${ROWS_AT_ONCE} ORDER BY day`,
    [blockOf(station), station, first, last],
  );
  return rows.map(({ day }) => day);
}
