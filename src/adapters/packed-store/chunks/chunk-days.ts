import { MILLISECONDS } from '#domain/time.js';
import { lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { dayOf } from '#adapters/formats/packed/chunk-key.js';

/*
 * A chunk contains the rows of 1, 8 or 64 UTC days, and begins at a multiple of its length. A station that rarely sends has longer
 * chunks, because a chunk of few rows needs several times as many bytes for each row. The chunks of a station do not overlap:
 *
 *     day     0 ... 63 | 64 ... 71 | 72 | 73 | 74 ... 79 | 80 ... 87 | 88 ... 127 |
 *     chunks  [  64   ]  [   8   ]  [1 ]  [1 ]             [   8   ]
 */

/** The days of a chunk: from `day`, in days since 1970, to `day` + `days` (not included). */
export interface ChunkDays {
  readonly day: number;
  readonly days: number;
}

/** A chunk with the number of its rows. */
export interface CountedChunk extends ChunkDays {
  readonly rows: number;
}

/** Some of the oldest chunks of a range of days. */
export interface OldestChunks {
  readonly chunks: readonly CountedChunk[];
  /** Whether `chunks` has all chunks of the range of days. If not, newer chunks of the range were left out. */
  readonly isAll: boolean;
}

/** Maximum number of days of a chunk. */
export const MAX_CHUNK_DAYS = 64;
/** The possible lengths of chunks in days. Each is a multiple of the next. */
const LENGTHS: readonly number[] = [MAX_CHUNK_DAYS, 8, 1];
/**
 * A new chunk of several days is created only if it is expected to get at most this number of rows. The expected number is
 * calculated from the number of rows that the station sends in a day.
 */
const EXPECTED_ROWS = 512;
/** Maximum number of rows of a chunk of several days. A chunk with more rows is divided. */
export const MAX_CHUNK_ROWS = 1024;

/**
 * The days at which a chunk that contains `day` can begin, without duplicates. Example for day 75: a chunk of 64 days begins at
 * day 64, a chunk of 8 days at day 72, and a chunk of 1 day at day 75.
 */
export function possibleStarts(day: number): number[] {
  return [...new Set(LENGTHS.map((days) => windowOf(day, days).day))];
}

/** The first day at which a chunk that contains `day` can begin: the start of the chunk of 64 days. Example: 64 for day 75. */
export function earliestStart(day: number): number {
  return windowOf(day, MAX_CHUNK_DAYS).day;
}

/** Whether a chunk of `days` days can begin at `day`. */
export function isPossible({ day, days }: ChunkDays): boolean {
  return LENGTHS.includes(days) && day % days === 0;
}

/** Maximum number of chunks that `selectOldest` returns. */
const MAX_SELECTED = 366;
/**
 * Maximum number of chunks that callers read from the database and pass to `selectOldest`. It is one more than `MAX_SELECTED`:
 * from the additional chunk `selectOldest` sees that it has not selected all chunks of the range.
 */
export const OLDEST_CHUNKS = MAX_SELECTED + 1;

/**
 * Selects the oldest chunks, until they have `rows` rows together or their number is `MAX_SELECTED`.
 *
 * @param found the oldest chunks, in ascending order
 */
export function selectOldest(found: readonly CountedChunk[], rows: number): OldestChunks {
  let [count, sum] = [0, 0];
  while (count < Math.min(found.length, MAX_SELECTED) && sum < rows) {
    sum += (found[count] as CountedChunk).rows;
    count += 1;
  }
  return { chunks: found.slice(0, count), isAll: count === found.length };
}

/** The UTC days with rows, in ascending order. */
export function chunkDaysOf({ times }: Series): number[] {
  const days: number[] = [];
  for (let row = 0; row < times.length;) {
    const day = dayOf(times[row] as number);
    days.push(day);
    row = lowerBound(times, (day + 1) * MILLISECONDS.day, row);
  }
  return days;
}

export const chunkStartOf = ({ day }: ChunkDays): number => day * MILLISECONDS.day;
/** The end of the last day, in ms since 1970. */
export const endOf = ({ day, days }: ChunkDays): number => (day + days) * MILLISECONDS.day;
export const contains = ({ day: first, days }: ChunkDays, day: number): boolean =>
  first <= day && day < first + days;

/**
 * Returns the possible chunks of 64 and of 8 days that contain `day`, the longer one first. A chunk has the rows of one station.
 * The caller may create one of these chunks if no existing chunk contains any of its days.
 *
 * A possible chunk is left out if it would probably get more than `EXPECTED_ROWS` rows. This number is estimated from the new
 * rows for each day. If the new rows span less than a day, they do not show how often the station sends. The number is then also
 * estimated from the last existing chunk before `day`.
 *
 * @param added new rows of one station, some of them on `day`
 * @param before returns the last existing chunk before `day`
 */
export function longChunks(day: number, added: Series, before?: () => CountedChunk | undefined): ChunkDays[] {
  const { times } = added;
  return LENGTHS.map((days) => windowOf(day, days)).filter((window) => {
    if (window.days === 1) return false;
    const first = lowerBound(times, chunkStartOf(window));
    const last = lowerBound(times, endOf(window), first) - 1;
    const span = ((times[last] as number) - (times[first] as number)) / MILLISECONDS.day;
    const isSparse = (rowsOfDay: number) => rowsOfDay * window.days <= EXPECTED_ROWS;
    // The time between the first and the last of n rows is n - 1 intervals.
    if (!isSparse((last - first) / Math.max(span, 1))) return false;
    const earlier = span < 1 ? before?.() : undefined;
    return earlier === undefined || isSparse(earlier.rows / earlier.days);
  });
}

/** Divides a chunk of several days with more than `MAX_CHUNK_ROWS` rows into shorter chunks. Chunks without rows are omitted. */
export function* dividedRows(place: ChunkDays, series: Series): Generator<[ChunkDays, Series]> {
  const { length } = series.times;
  const next = LENGTHS.find((days) => days < place.days);
  if (length === 0) return;
  if (next === undefined || length <= MAX_CHUNK_ROWS) {
    yield [place, series];
    return;
  }
  for (let from = 0; from < length;) {
    const part = windowOf(dayOf(series.times[from] as number), next);
    const to = lowerBound(series.times, endOf(part), from);
    yield* dividedRows(part, sliceSeries(series, from, to));
    from = to;
  }
}

function windowOf(day: number, days: number): ChunkDays {
  return { day: Math.floor(day / days) * days, days };
}
