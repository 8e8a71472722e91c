import type { EraseRange, EraseStep } from '#application/ports/observation-store.js';
import { ChangedRows } from '#domain/weather/changed-rows.js';
import { eraseValues } from '#domain/weather/undo/erase-values.js';
import { type ChunkDays, earliestStart, endOf } from '#adapters/packed-store/chunks/chunk-days.js';
import { replaceDays } from '#adapters/packed-store/chunks/station-chunks.js';
import { changedDays, UndoneStations } from '#adapters/packed-store/undo-days.js';
import { FetchedChunks } from '../chunks/fetched-chunks.js';
import { putAside } from '../damage/damaged-blobs.js';
import type { Query } from '../database/query.js';
import { keepMonths } from '../day-tables/removed-months.js';
import { TableDrops } from '../day-tables/dropped-tables.js';
import { mergeBlock } from '../observations/block-merger.js';
import { blockOf, lockForChanging, useUpRun } from '../observations/blocks.js';
import { dayNumber } from '../observations/observation-reader.js';
import { rebuildStates } from '../observations/rebuilt-states.js';
import { RunCache } from '../observations/run-cache.js';
import { StationRulesCache } from '../observations/station-rules.js';

/** Number of rows of which one transaction erases values. Whole chunks are taken until there are so many. */
const ROWS_AT_ONCE = 4096;
/** Largest number of chunks of which one transaction erases values. */
const CHUNKS_AT_ONCE = 366;

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
  const own = await oldestChunks(query, station, dayNumber(from), dayNumber(to - 1));
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return nothing;
  const end = Math.min(to, endOf(last));
  const rest = end < to ? [{ ...range, from: end }, ...others] : others;
  // Rows of the day before and of the day after are needed to judge.
  const days = [first.day - 1, last.day + last.days] as const;
  const chunks = new FetchedChunks();
  await chunks.fetch(query, [{ station, first: days[0], last: days[1] }]);
  const reverted = eraseValues(chunks.rowsOfDays(station, ...days), { ...range, to: end }, rules);
  for (const damage of chunks.damage) await putAside(query, block, damage);
  const { takenBack, span } = reverted;
  if (span === undefined) return { ...nothing, rest };
  replaceDays(chunks, station, changedDays(reverted));
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

async function oldestChunks(
  query: Query,
  station: number,
  first: number,
  last: number,
): Promise<ChunkDays[]> {
  const { rows } = await query<ChunkDays>(
    `SELECT day, days FROM (
       SELECT day, days, rows, sum(rows) OVER (ORDER BY day) AS total FROM (
         SELECT day, days, rows FROM weatherd.chunk
         WHERE block = $1 AND station = $2 AND day >= $5 AND day <= $4 AND day + days > $3
         ORDER BY day LIMIT ${CHUNKS_AT_ONCE}) AS oldest) AS counted
     WHERE total - rows < ${ROWS_AT_ONCE} ORDER BY day`,
    [blockOf(station), station, first, last, earliestStart(first)],
  );
  return rows;
}
