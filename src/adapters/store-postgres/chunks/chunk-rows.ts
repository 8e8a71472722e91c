import type { Series } from '#domain/weather/series.js';
import { encodeChunk } from '#adapters/formats/packed/chunk-codec.js';
import {
  type ChunkDays,
  type CountedChunk,
  earliestStart,
  MAX_CHUNK_DAYS,
  possibleStarts,
} from '#adapters/packed-store/chunks/chunk-days.js';
import { variableMask } from '#adapters/packed-store/chunks/variable-mask.js';
import { byStatement } from '../database/by-statement.js';
import type { Query } from '../database/query.js';
import { blockOf } from '../observations/blocks.js';
import { tuples } from '../observations/tuples.js';

/** A range of days of a station, both ends included. */
export interface ChunkSpan {
  readonly station: number;
  readonly first: number;
  readonly last: number;
}

/** A day of a station. */
export interface StationDay {
  readonly station: number;
  readonly day: number;
}

/** A row of the table `chunk`. */
export interface StoredChunk extends CountedChunk {
  readonly station: number;
  readonly data: Buffer;
}

/**
 * Reads the chunks that contain at least one day of the spans, in no particular order. A chunk contains the packed rows of 1, 8
 * or 64 days of a station.
 */
export async function readChunks(query: Query, spans: readonly ChunkSpan[]): Promise<StoredChunk[]> {
  const found: StoredChunk[] = [];
  // A chunk has the rows of up to 64 days, so the chunk that contains the first day of a span may begin before this day.
  const ranges = spans.flatMap((span) => {
    const earlier = possibleStarts(span.first).filter((day) => day < span.first);
    return [
      { ...span, from: span.first },
      ...earlier.map((day) => ({ station: span.station, first: day, last: day, from: span.first })),
    ];
  });
  for (const [some, inBlock] of byStatement(query, ranges, ({ station }) => blockOf(station), 'span.block')) {
    // `OFFSET 0` prevents the planner from merging the inner query into the outer query, so that each span is looked up in the
    // primary key.
    const { rows } = await query<StoredChunk>(
      `SELECT found.* FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[], $5::integer[])
         AS span (block, station, first, last, needed)
       CROSS JOIN LATERAL (
         SELECT station, day, days, rows, data FROM weatherd.chunk
         WHERE block = ${inBlock} AND station = span.station AND day >= span.first AND day <= span.last
           AND day + days > span.needed
         OFFSET 0) AS found`,
      [
        some.map(({ station }) => blockOf(station)),
        some.map(({ station }) => station),
        some.map(({ first }) => first),
        some.map(({ last }) => last),
        some.map(({ from }) => from),
      ],
    );
    found.push(...rows);
  }
  return found;
}

/** The days of a chunk and the number of its rows, but not the rows. A chunk contains the packed rows of 1, 8 or 64 days. */
export interface KnownChunk extends CountedChunk {
  readonly station: number;
  /** The first day of the 64 days that were searched; see `readAround`. */
  readonly window: number;
}

/**
 * For each given station and day, finds all chunks of the station in the window that contains the day, and the last chunk
 * before this window. The result is in no particular order.
 *
 * A window is a period of 64 days (`MAX_CHUNK_DAYS`) that begins at a multiple of 64 days since 1970-01-01. A chunk contains
 * the packed rows of 1, 8 or 64 days of a station, and always lies within one window.
 */
export async function readAround(query: Query, days: readonly StationDay[]): Promise<KnownChunk[]> {
  const found: KnownChunk[] = [];
  for (const [some, inBlock] of byStatement(query, days, ({ station }) => blockOf(station), 'span.block')) {
    const { rows } = await query<KnownChunk>(
      `SELECT found.* FROM unnest($1::integer[], $2::integer[], $3::integer[]) AS span (block, station, first)
       CROSS JOIN LATERAL (
         SELECT station, day, days, rows, span.first AS "window" FROM weatherd.chunk
         WHERE block = ${inBlock} AND station = span.station AND day < span.first + ${MAX_CHUNK_DAYS}
           AND day >= coalesce((
             SELECT max(day) FROM weatherd.chunk
             WHERE block = ${inBlock} AND station = span.station AND day < span.first), span.first)
         OFFSET 0) AS found`,
      [
        some.map(({ station }) => blockOf(station)),
        some.map(({ station }) => station),
        some.map(({ day }) => earliestStart(day)),
      ],
    );
    found.push(...rows);
  }
  return found;
}

/**
 * All rows of a chunk after a change. A chunk contains the packed rows of 1, 8 or 64 days of a station. These rows replace the
 * stored chunk with the same first day. If there are no rows, the stored chunk is deleted.
 */
export interface ChangedChunk extends ChunkDays {
  readonly station: number;
  readonly series: Series;
}

export async function writeChunks(query: Query, chunks: readonly ChangedChunk[]): Promise<void> {
  const kept = chunks.filter(({ series }) => series.times.length > 0);
  const rows = kept.map(({ station, day, days, series }) => [
    blockOf(station),
    station,
    day,
    days,
    series.times.length,
    variableMask(series),
    encodeChunk({ station, day, days }, series),
  ]);
  for (const [values, parameters] of tuples(rows))
    await query(
      `INSERT INTO weatherd.chunk (block, station, day, days, rows, variables, data) VALUES ${values}
       ON CONFLICT (block, station, day) DO UPDATE SET days = excluded.days, rows = excluded.rows,
         variables = excluded.variables, data = excluded.data`,
      parameters,
    );
  const deleted = chunks.filter(({ series }) => series.times.length === 0);
  for (const [some, inBlock] of byStatement(
    query,
    deleted,
    ({ station }) => blockOf(station),
    'deleted.block',
  ))
    await query(
      `DELETE FROM weatherd.chunk USING unnest($1::integer[], $2::integer[], $3::integer[]) AS deleted (block, station, day)
       WHERE chunk.block = ${inBlock} AND chunk.station = deleted.station AND chunk.day = deleted.day`,
      [
        some.map(({ station }) => blockOf(station)),
        some.map(({ station }) => station),
        some.map(({ day }) => day),
      ],
    );
}
