import { mergeAll } from '../../../domain/weather/merge-series.js';
import type { Series } from '../../../domain/weather/series.js';
import { DamagedBlobError } from '../../formats/packed/blob.js';
import { type Chunk, encodeChunk } from '../../formats/packed/chunk-codec.js';
import { chunkKey, dayOf } from '../../formats/packed/chunk-key.js';
import { decodeAll, openChunk } from '../../formats/packed/decoded-series.js';
import type { Run } from '../../formats/packed/run-codec.js';
import { variableMask } from '../../packed-store/by-day.js';
import { type Damage, damagedChunk } from '../../packed-store/damage.js';
import { gathered } from '../../packed-store/run-rows.js';
import type { StationSpan, StoredRows } from '../../packed-store/write-target.js';
import { byStatement } from '../database/by-statement.js';
import type { Query } from '../database/query.js';
import { blockOf } from './blocks.js';
import { tuples } from './tuples.js';

/** Number of days that are read at once. It limits the memory of a write whose rows are spread over years. */
const MAX_DAYS = 512;

/** Days of a station, both included. */
export interface DaySpan {
  readonly station: number;
  readonly first: number;
  readonly last: number;
}

/** A row of the table `chunk`. */
export interface StoredChunk {
  readonly station: number;
  readonly day: number;
  readonly rows: number;
  readonly data: Buffer;
}

/** Reads the chunks of some days, in no particular order. */
export async function readChunks(query: Query, spans: readonly DaySpan[]): Promise<StoredChunk[]> {
  const found: StoredChunk[] = [];
  for (const [some, inBlock] of byStatement(query, spans, ({ station }) => blockOf(station), 'span.block')) {
    // The planner cannot merge the inner query into the outer one, so it looks up each span in the primary key.
    const { rows } = await query<StoredChunk>(
      `SELECT found.* FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[])
         AS span (block, station, first, last)
       CROSS JOIN LATERAL (
         SELECT station, day, rows, data FROM weatherd.chunk
         WHERE block = ${inBlock} AND station = span.station AND day >= span.first AND day <= span.last
         OFFSET 0) AS found`,
      [
        some.map(({ station }) => blockOf(station)),
        some.map(({ station }) => station),
        some.map(({ first }) => first),
        some.map(({ last }) => last),
      ],
    );
    found.push(...rows);
  }
  return found;
}

/** Chunks that one transaction has read, as the rows under its runs. Damaged chunks are left out. */
export class FetchedChunks implements StoredRows {
  /** Runs that were written. */
  readonly runs: Run[] = [];
  readonly damage: Damage[] = [];
  /** The days that were read, by key; undefined for a day without rows. */
  readonly #days = new Map<number, StoredChunk | Chunk | undefined>();
  readonly #changed = new Map<number, ChangedDay>();

  /** Reads the next rows that a writer needs, in place of those that were read before. */
  async fetchAhead(query: Query, ahead: Iterable<StationSpan>): Promise<void> {
    const spans: DaySpan[] = [];
    let days = 0;
    for (const { station, from, to } of ahead) {
      const [first, last] = [dayOf(from), dayOf(to - 1)];
      spans.push({ station, first, last });
      days += last - first + 1;
      if (days >= MAX_DAYS) break;
    }
    await this.fetch(query, spans);
  }

  /** Reads days, in place of those that were read before. */
  async fetch(query: Query, spans: readonly DaySpan[]): Promise<void> {
    this.#days.clear();
    for (const { station, first, last } of spans)
      for (let day = first; day <= last; day += 1) this.#days.set(chunkKey(station, day), undefined);
    for (const row of await readChunks(query, spans)) this.#days.set(chunkKey(row.station, row.day), row);
  }

  has(station: number, from: number, to: number, chunksEnd: number): boolean {
    if (from > chunksEnd) return true;
    for (let day = dayOf(from); day <= dayOf(to - 1); day += 1)
      if (!this.#days.has(chunkKey(station, day))) return false;
    return true;
  }

  recent(station: number, from: number, to: number, runs: readonly Run[], chunksEnd: number): Series {
    const overlay = gathered(runs, station, from, to);
    if (from > chunksEnd) return overlay;
    const chunks: Chunk[] = [];
    for (let day = dayOf(from); day <= dayOf(to - 1); day += 1) {
      const chunk = this.#open(station, day);
      if (chunk !== undefined) chunks.push(chunk);
    }
    return mergeAll([decodeAll(chunks, undefined, from, to), overlay]);
  }

  remember(run: Run): void {
    this.runs.push(run);
  }

  /** Replaces all rows of a day. */
  put(station: number, day: number, series: Series): void {
    this.#changed.set(chunkKey(station, day), { station, day, series });
  }

  /** Writes the replaced days. */
  async write(query: Query): Promise<void> {
    await writeChunks(query, [...this.#changed.values()]);
  }

  /** All rows of a day that was read or replaced; undefined if there is no chunk. */
  day(station: number, day: number): Series | undefined {
    const changed = this.#changed.get(chunkKey(station, day));
    if (changed !== undefined) return changed.series;
    const chunk = this.#open(station, day);
    return chunk && decodeAll([chunk], undefined);
  }

  #open(station: number, day: number): Chunk | undefined {
    const key = chunkKey(station, day);
    const found = this.#days.get(key);
    if (found === undefined || !('data' in found)) return found;
    let chunk: Chunk | undefined;
    try {
      chunk = openChunk({ key, rows: found.rows, data: found.data });
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      this.damage.push(damagedChunk(station, { ...found, key }, error));
    }
    this.#days.set(key, chunk);
    return chunk;
  }
}

/** Days whose rows have changed. */
interface ChangedDay {
  readonly station: number;
  readonly day: number;
  /** All rows of the day. */
  readonly series: Series;
}

/** Replaces all rows of some days. A day without rows has no chunk. */
async function writeChunks(query: Query, days: readonly ChangedDay[]): Promise<void> {
  const kept = days.filter(({ series }) => series.times.length > 0);
  const rows = kept.map(({ station, day, series }) => [
    blockOf(station),
    station,
    day,
    series.times.length,
    variableMask(series),
    encodeChunk(day, series),
  ]);
  for (const [values, parameters] of tuples(rows))
    await query(
      `INSERT INTO weatherd.chunk (block, station, day, rows, variables, data) VALUES ${values}
       ON CONFLICT (block, station, day) DO UPDATE SET rows = excluded.rows, variables = excluded.variables,
         data = excluded.data`,
      parameters,
    );
  const gone = days.filter(({ series }) => series.times.length === 0);
  for (const [some, inBlock] of byStatement(query, gone, ({ station }) => blockOf(station), 'gone.block'))
    await query(
      `DELETE FROM weatherd.chunk USING unnest($1::integer[], $2::integer[], $3::integer[]) AS gone (block, station, day)
       WHERE chunk.block = ${inBlock} AND chunk.station = gone.station AND chunk.day = gone.day`,
      [
        some.map(({ station }) => blockOf(station)),
        some.map(({ station }) => station),
        some.map(({ day }) => day),
      ],
    );
}
