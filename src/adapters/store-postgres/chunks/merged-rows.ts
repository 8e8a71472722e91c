import { MILLISECONDS } from '#domain/time.js';
import { lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { chunkDaysOf, MAX_CHUNK_DAYS, longChunks } from '#adapters/packed-store/chunks/chunk-days.js';
import { groupsOf } from '#adapters/packed-store/groups.js';
import { mergeIntoChunks } from '#adapters/packed-store/chunks/station-chunks.js';
import { putAside } from '../damage/damaged-blobs.js';
import type { Query } from '../database/query.js';
import { blockOf } from '../observations/blocks.js';
import type { ChunkSpan, StationDay } from './chunk-rows.js';
import { FetchedChunks } from './fetched-chunks.js';

/**
 * Maximum number of days whose rows are merged into chunks in one step. It limits memory. A chunk contains the packed rows of up
 * to 64 days, and no chunk crosses a multiple of this number of days.
 */
const MAX_DAYS = 8 * MAX_CHUNK_DAYS;

export interface StationSeries {
  readonly station: number;
  readonly series: Series;
}

/** Rows of a station, and the days that have rows. */
interface Part extends StationSeries {
  readonly days: readonly number[];
}

/**
 * Merges rows of stations into the stored chunks, which contain the packed rows of 1, 8 or 64 days of a station. This happens
 * within the transaction of the caller, which has locked the block (group of 64 stations) for merging.
 */
export async function mergeRows(query: Query, rows: readonly StationSeries[]): Promise<void> {
  for (const parts of groupsOf(partsOf(rows), MAX_DAYS, ({ days }) => days.length)) {
    const chunks = new FetchedChunks();
    await chunks.fetch(query, parts.flatMap(spansOf));
    await chunks.fetchWindows(query, windowsOf(parts, chunks));
    for (const { station, series } of parts) mergeIntoChunks(chunks, station, series);
    for (const damage of chunks.damage)
      await putAside(query, blockOf(damage.stations?.[0] as number), damage);
    await chunks.write(query);
  }
}

/**
 * Splits the rows of each station into parts, at days that are multiples of `MAX_DAYS`. The stored chunks (packed rows of 1, 8 or
 * 64 days) never cross such a day, so no chunk belongs to two parts.
 */
function* partsOf(rows: readonly StationSeries[]): Generator<Part> {
  const length = MAX_DAYS * MILLISECONDS.day;
  for (const { station, series } of rows) {
    const { times } = series;
    for (let from = 0; from < times.length;) {
      const end = (Math.floor((times[from] as number) / length) + 1) * length;
      const to = lowerBound(times, end, from);
      const part = sliceSeries(series, from, to);
      yield { station, series: part, days: chunkDaysOf(part) };
      from = to;
    }
  }
}

/** The days of a part as spans. Consecutive days form one span. */
function spansOf({ station, days }: Part): ChunkSpan[] {
  const spans: { station: number; first: number; last: number }[] = [];
  for (const day of days) {
    const span = spans.at(-1);
    if (span?.last === day - 1) span.last = day;
    else spans.push({ station, first: day, last: day });
  }
  return spans;
}

/**
 * Finds the windows in which rows could be stored in a new chunk (packed rows) of several days, and returns one day of each of
 * these windows. A window is a period of 64 days that no chunk crosses.
 */
function windowsOf(parts: readonly Part[], chunks: FetchedChunks): StationDay[] {
  const wanted = new Map<string, StationDay>();
  for (const { station, series, days } of parts) {
    for (const day of days) {
      const name = `${station} ${Math.floor(day / MAX_CHUNK_DAYS)}`;
      if (wanted.has(name) || chunks.find(station, day) !== undefined) continue;
      if (longChunks(day, series).length > 0) wanted.set(name, { station, day });
    }
  }
  return [...wanted.values()];
}
