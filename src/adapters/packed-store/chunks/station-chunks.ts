import { concatenate, mergeAll } from '#domain/weather/merge-series.js';
import { MILLISECONDS } from '#domain/time.js';
import { lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { dayOf } from '#adapters/formats/packed/chunk-key.js';
import { type ChunkDays, contains, type CountedChunk, dividedRows, endOf, longChunks } from './chunk-days.js';

/** The chunks of stations, within the transaction of the caller. A chunk has the rows of a station for 1, 8 or 64 days. */
export interface StationChunks {
  /** The days of the chunk (stored rows of 1, 8 or 64 days) that contains a day; undefined if there is none. */
  find(station: number, day: number): ChunkDays | undefined;
  /** Whether no day of the window (a range of days) is in a chunk (stored rows of 1, 8 or 64 days) of the station. */
  isFree(station: number, window: ChunkDays): boolean;
  /** The last chunk (stored rows of 1, 8 or 64 days) that begins before a day; undefined if there is none. */
  before(station: number, day: number): CountedChunk | undefined;
  /** The rows of the chunk (stored rows of 1, 8 or 64 days) that begins at a day; undefined if the chunk is damaged. */
  rows(station: number, day: number): Series | undefined;
  /** Writes a chunk (the rows of a station for 1, 8 or 64 days). It replaces the chunk that has the same first day. */
  put(station: number, place: ChunkDays, series: Series): void;
  /** Removes the chunk (stored rows of 1, 8 or 64 days) that begins at a day, if there is one. */
  remove(station: number, day: number): void;
}

/** All rows of a UTC day. */
export type DayRows = readonly [day: number, series: Series];

/**
 * Merges rows of a station into its chunks (stored rows of 1, 8 or 64 days), and creates missing chunks. Merging the same rows
 * again does not change the chunks.
 */
export function mergeIntoChunks(chunks: StationChunks, station: number, added: Series): void {
  const { times } = added;
  for (let from = 0; from < times.length;) {
    const day = dayOf(times[from] as number);
    const found = chunks.find(station, day);
    const place = found ?? newChunk(chunks, station, day, added);
    const to = lowerBound(times, endOf(place), from);
    const series = sliceSeries(added, from, to);
    const base = found && chunks.rows(station, place.day);
    put(chunks, station, place, base === undefined ? series : mergeAll([base, series]));
    from = to;
  }
}

function newChunk(chunks: StationChunks, station: number, day: number, added: Series): ChunkDays {
  const windows = longChunks(day, added, () => chunks.before(station, day));
  return windows.find((window) => chunks.isFree(station, window)) ?? { day, days: 1 };
}

/**
 * Replaces all rows of some days.
 *
 * @param changed the days in ascending order, each with its new rows
 */
export function replaceDays(chunks: StationChunks, station: number, changed: readonly DayRows[]): void {
  for (let at = 0; at < changed.length;) {
    const [day, series] = changed[at] as DayRows;
    const place = chunks.find(station, day) ?? { day, days: 1 };
    let end = at + 1;
    while (end < changed.length && contains(place, (changed[end] as DayRows)[0])) end += 1;
    const stored = place.days === 1 ? undefined : chunks.rows(station, place.day);
    put(chunks, station, place, stored === undefined ? series : withDays(stored, changed.slice(at, end)));
    at = end;
  }
}

function put(chunks: StationChunks, station: number, place: ChunkDays, series: Series): void {
  const parts = [...dividedRows(place, series)];
  // A chunk with too many rows is divided into `parts`, which are shorter chunks. Writing the first part replaces the old chunk
  // only if both begin at the same day. Otherwise the old chunk must be removed.
  if (parts[0]?.[0].day !== place.day) chunks.remove(station, place.day);
  for (const [part, rows] of parts) chunks.put(station, part, rows);
}

function withDays(stored: Series, days: readonly DayRows[]): Series {
  const parts: Series[] = [];
  let from = 0;
  for (const [day, series] of days) {
    parts.push(sliceSeries(stored, from, lowerBound(stored.times, day * MILLISECONDS.day)), series);
    from = lowerBound(stored.times, (day + 1) * MILLISECONDS.day);
  }
  parts.push(sliceSeries(stored, from, stored.times.length));
  return concatenate(parts);
}
