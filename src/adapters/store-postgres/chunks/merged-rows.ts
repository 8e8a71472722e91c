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

/** Maximum number of days that are merged in one step. It limits memory. No chunk crosses a multiple of this number. */
const MAX_DAYS = 8 * MAX_CHUNK_DAYS;

export interface StationSeries {
  readonly station: number;
  readonly series: Series;
}

/** Rows of a station, and the days that have rows. */
interface Part extends StationSeries {
  readonly days: readonly number[];
}

/** Merges rows of stations into their chunks, within the transaction of the caller. The caller has locked the block for merging. */
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

/** Splits rows into parts by their days. The days of a part do not cross a multiple of `MAX_DAYS`. */
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

/** Returns one day of each window in which a chunk of several days may be created. */
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
