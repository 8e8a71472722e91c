import { MILLISECONDS } from '#domain/time.js';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import { chunkKey, dayOf } from '#adapters/formats/packed/chunk-key.js';
import { openChunk } from '#adapters/formats/packed/decoded-series.js';
import { earliestStart, endOf } from '#adapters/packed-store/chunks/chunk-days.js';
import { DamagedDataError, mayAffect } from '#adapters/packed-store/damage.js';
import { isDailySeries } from '#adapters/packed-store/days/daily-series.js';
import { gatherRows } from '#adapters/packed-store/run-rows.js';
import type { StoredChunk } from '../chunks/chunk-rows.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { type OpenBlock, openBlocks } from './blocks.js';
import { storedStations } from './newest-rows.js';
import type { PackedPart, PageChunk } from './packed-part.js';
import { damagedOnReplica, type RunCache } from './run-cache.js';

/**
 * Limits of a page, which is the part of the data that one transaction reads. `MAX_CHUNKS` is the maximum number of its chunks
 * (packed rows of some days of a station), and `MAX_ROWS` is the approximate maximum number of its rows.
 */
const MAX_CHUNKS = 512;
const MAX_ROWS = 65_536;

/** The data to read from one block, which is a group of 64 stations. */
export interface BlockQuery {
  readonly block: number;
  /** Whether daily values are read. Otherwise reports are read; see `daily-series.ts`. */
  readonly isOfDays: boolean;
  /** Numbers of series in ascending order; undefined for all series of the kind in the block. */
  readonly stations: readonly number[] | undefined;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  readonly variables: ReadonlySet<number> | undefined;
}

/**
 * A position in the data of a block (group of 64 stations). The data are sorted by station and day. If one transaction cannot
 * read all data of the block, the next transaction begins at such a position.
 */
export interface BlockKey {
  readonly station: number;
  readonly day: number;
}

/**
 * A page: the part of the data of a block (group of 64 stations) that one transaction reads. All data of a page are from one
 * snapshot:
 *
 * - `chunks`, sorted by station and day. A chunk contains the packed rows of some days of one station.
 * - `open`, with all unmerged runs of the block. A run contains the packed rows of one commit, and is unmerged until these rows
 *   are moved into chunks.
 */
export interface BlockPage {
  readonly open: OpenBlock;
  readonly chunks: readonly PageChunk[];
  /**
   * The stations of this page (the data that one transaction reads), in ascending order. The first one may continue from the
   * previous page.
   */
  readonly stations: readonly number[];
  /**
   * The station and day at which this page (the data that one transaction reads) begins; undefined at the beginning of the block.
   */
  readonly begin: BlockKey | undefined;
  /**
   * The station and day at which the next page (the data that one transaction reads) begins; undefined at the end of the block.
   */
  readonly next: BlockKey | undefined;
}

/**
 * Reads one page of a block (group of 64 stations). A page is the part of the data that one transaction reads. The transaction
 * calls no function that writes, so that a replica can also run it.
 */
export async function readPage(
  database: PostgresDatabase,
  cache: RunCache,
  { block, isOfDays, stations, from, to }: BlockQuery,
  begin: BlockKey | undefined,
  rows: number,
): Promise<BlockPage> {
  return await database.reading(async (query, isReplica) => {
    const runs = isReplica ? cache.intact : cache;
    const open = (await openBlocks(query, [block], runs)).get(block) as OpenBlock;
    const all =
      stations ??
      stationsOf(open, await storedStations(query, block)).filter((one) => isDailySeries(one) === isOfDays);
    const left = begin === undefined ? all : all.filter((station) => station >= begin.station);
    const { rows: found } = await query<StoredChunk & { found: number }>(
      `SELECT station, day, days, rows, data, found FROM (
         SELECT station, day, days, rows, data, count(*) OVER () AS found,
           sum(rows) OVER (ORDER BY station, day) - rows AS before
         FROM (
           SELECT station, day, days, rows, data FROM weatherd.chunk
           WHERE block = $1 AND station = ANY($2) AND day >= $8 AND day <= $4 AND (station, day) >= ($5, $6)
             AND day + days > $3
           ORDER BY station, day LIMIT ${MAX_CHUNKS}) AS taken) AS page
       WHERE before < $7 ORDER BY station, day`,
      [
        block,
        [...left],
        dayNumber(from),
        dayNumber(to - 1),
        begin?.station ?? -1,
        begin?.day ?? 0,
        Math.min(rows, MAX_ROWS),
        earliestStart(dayNumber(from)),
      ],
    );
    const last = found.at(-1);
    const isAll = last === undefined || (found.length === last.found && last.found < MAX_CHUNKS);
    const next = isAll ? undefined : { station: last.station, day: last.day + last.days };
    return {
      open,
      chunks: isReplica ? found.map(openOfReplica) : found,
      stations: next === undefined ? left : left.filter((station) => station <= next.station),
      begin,
      next,
    };
  });
}

/**
 * Divides the rows of a page, which is the part of the data of a block (group of 64 stations) that one transaction has read.
 * Yields the rows of each station in order of time, in parts of about `limit` rows.
 *
 * @throws DamagedDataError if rows in runs (packed rows of one commit each) or in chunks that were set aside are damaged
 */
export function* partsOf(
  { open, chunks, stations, begin, next }: BlockPage,
  { from, to, variables }: BlockQuery,
  limit: number,
): Generator<PackedPart> {
  let at = 0;
  for (const station of stations) {
    let start = begin?.station === station ? Math.max(from, startOf(begin.day)) : from;
    const end = next?.station === station ? Math.min(to, startOf(next.day)) : to;
    while (start < end) {
      const some: PageChunk[] = [];
      let rows = 0;
      for (; chunks[at]?.station === station && rows < limit; at += 1) {
        const chunk = chunks[at] as PageChunk;
        some.push(chunk);
        rows += chunk.rows;
      }
      const isLast = chunks[at]?.station !== station;
      const until = isLast ? end : Math.min(end, endOf(some.at(-1) as PageChunk));
      const known = open.damage.find((one) => mayAffect(one, station, start, until));
      if (known !== undefined) throw new DamagedDataError({ damage: known, station, from: start });
      const rest = gatherRows(open.all, station, start, until, variables);
      yield { series: station, from: start, to: until, chunks: some, rest };
      start = until;
    }
  }
}

/**
 * Opens a chunk (packed rows of some days of a station) that was read from a replica.
 *
 * @throws DomainError DATA_DAMAGED if the chunk is damaged. The caller then reads from the primary, because the data of the
 *   primary may be intact
 */
function openOfReplica(row: StoredChunk): PageChunk {
  try {
    return { ...row, opened: openChunk({ ...row, key: chunkKey(row.station, row.day) }) };
  } catch (error) {
    if (error instanceof DamagedBlobError) throw damagedOnReplica();
    throw error;
  }
}

/** The stations of a block (group of 64 stations) that have rows, in ascending order. */
export function stationsOf({ all }: OpenBlock, stored: readonly number[]): number[] {
  const stations = new Set(stored);
  for (const run of all) for (const station of run.stations) stations.add(station);
  return [...stations].sort((a, b) => a - b);
}

const startOf = (day: number) => day * MILLISECONDS.day;

/**
 * The day of a time, as the number of days since 1970. A time outside of the range of JavaScript dates is limited to this range
 * first, so that the day fits into an integer column.
 */
export function dayNumber(time: number): number {
  return dayOf(Math.min(Math.max(time, -8.64e15), 8.64e15));
}
