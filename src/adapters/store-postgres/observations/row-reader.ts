import type { ObservationQuery } from '#application/ports/observation-store.js';
import type { Series } from '#domain/weather/series.js';
import { dailySeriesOf, stationOf, wantedSeries } from '#adapters/packed-store/days/daily-series.js';
import { SeriesJoiner, type SeriesPart } from '#adapters/packed-store/days/series-joiner.js';
import type { DamageReport } from '../damage/damage-report.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { blockOf, blocksOf } from './blocks.js';
import { type BlockKey, type BlockPage, type BlockQuery, partsOf, readPage } from './observation-reader.js';
import { decodePart, type PackedPart } from './packed-part.js';
import type { RunCache } from './run-cache.js';

/** Approximate number of values in a part: 4,096 rows of twelve variables. */
const PART_VALUES = 49_152;
/** Maximum number of rows in a part with few variables. */
const MAX_PART_ROWS = 16_384;
/** Estimated number of variables of a station, for queries that name none. */
const DEFAULT_VARIABLES = 12;

/** Approximate number of rows in a part. @param variables undefined means all */
export function partRows(variables: readonly number[] | undefined): number {
  return Math.min(Math.ceil(PART_VALUES / (variables?.length ?? DEFAULT_VARIABLES)), MAX_PART_ROWS);
}

/** Reads the rows of stations in parts, which are decoded by the caller. */
export class RowReader {
  readonly #database: PostgresDatabase;
  readonly #runs: RunCache;
  readonly #damage: DamageReport;

  constructor(database: PostgresDatabase, runs: RunCache, damage: DamageReport) {
    this.#database = database;
    this.#runs = runs;
    this.#damage = damage;
  }

  /**
   * Reads the rows of stations in parts. If the query wants reports and daily values, the two series of each station are joined.
   * Daily values are looked for only in blocks (groups of 64 stations) that have some.
   *
   * @param limit approximate number of rows in a part
   * @param left returns the number of rows that the caller still needs; by default all
   */
  async *parts(query: ObservationQuery, limit: number, left = () => Infinity): AsyncGenerator<PackedPart> {
    const variables = query.variables && new Set(query.variables);
    const wanted = wantedSeries(query.variables);
    let joiner: SeriesJoiner | undefined;
    let block: number | undefined;
    for await (const [page, own] of this.#pages(await this.#queriesOf(query, !wanted.reports), left)) {
      if (own.block !== block && wanted.reports && wanted.days) {
        if (joiner !== undefined) yield* joined(joiner.rest());
        joiner = page.open.hasDays ? new SeriesJoiner(this.#daysBeside(own, limit, left)) : undefined;
      }
      block = own.block;
      for await (const part of this.#partsOf(page, own, limit)) {
        if (joiner === undefined) yield part;
        else yield* joined(joiner.add([part.series, await this.decode(part, variables)]));
      }
    }
    if (joiner !== undefined) yield* joined(joiner.rest());
  }

  /** The daily values of the stations whose reports are read by `reports`. */
  async *#daysBeside(reports: BlockQuery, limit: number, left: () => number): AsyncGenerator<SeriesPart> {
    const days = { ...reports, isOfDays: true, stations: reports.stations?.map(dailySeriesOf) };
    for await (const [page, own] of this.#pages([days], left))
      for await (const part of this.#partsOf(page, own, limit))
        yield [stationOf(part.series), await this.decode(part, own.variables)];
  }

  /**
   * Decodes the rows of a part. Rejects with DATA_DAMAGED.
   *
   * @param variables those of the query of the part
   */
  async decode(part: PackedPart, variables: ReadonlySet<number> | undefined): Promise<Series> {
    try {
      return decodePart(part, variables);
    } catch (error) {
      return await this.#damage.fail(error);
    }
  }

  /** Rejects with DATA_DAMAGED. */
  async *#partsOf(page: BlockPage, query: BlockQuery, limit: number): AsyncGenerator<PackedPart> {
    try {
      yield* partsOf(page, query, limit);
    } catch (error) {
      await this.#damage.fail(error);
    }
  }

  async #queriesOf(
    { stations, from, to, variables }: ObservationQuery,
    isOfDays: boolean,
  ): Promise<readonly BlockQuery[]> {
    const blocks = stations === undefined ? await this.#blocks() : blocksOf(stations);
    const numbers = isOfDays ? stations?.map(dailySeriesOf) : stations;
    const sorted = numbers && [...new Set(numbers)].sort((a, b) => a - b);
    return blocks.map((block): BlockQuery => ({
      block,
      isOfDays,
      stations: sorted?.filter((station) => blockOf(station) === block),
      from,
      to,
      variables: variables && new Set(variables),
    }));
  }

  /**
   * Reads the rows of queries in pages. A page is the part of the data that one transaction reads.
   *
   * @param left returns the number of rows that the caller still needs
   */
  async *#pages(
    queries: readonly BlockQuery[],
    left: () => number,
  ): AsyncGenerator<readonly [BlockPage, BlockQuery]> {
    const request = (index: number, begin?: BlockKey) => {
      const query = queries[index];
      if (query === undefined || left() <= 0) return undefined;
      const page = readPage(this.#database, this.#runs, query, begin, left());
      // The caller waits for this page only after it has used the previous page. If reading this page fails before, this handler
      // prevents an unhandled rejection.
      page.catch(() => undefined);
      return page;
    };
    let index = 0;
    let page = request(index);
    while (page !== undefined) {
      const current = await page;
      const query = queries[index] as BlockQuery;
      if (current.next === undefined) index += 1;
      // If the caller needs all rows, the next page is read while the caller uses the current page. If the caller needs a limited
      // number of rows, the current page may have enough rows, so the next page is read only after it.
      const isWhole = left() === Infinity;
      if (isWhole) page = request(index, current.next);
      yield [current, query];
      if (!isWhole) page = request(index, current.next);
    }
  }

  async #blocks(): Promise<number[]> {
    const { rows } = await this.#database.read<{ block: number }>(
      'SELECT block FROM weatherd.block ORDER BY block',
    );
    return rows.map(({ block }) => block);
  }
}

/** Parts of rows that are already decoded. */
async function* joined(parts: AsyncIterable<SeriesPart>): AsyncGenerator<PackedPart> {
  for await (const [series, rest] of parts) yield { series, from: -Infinity, to: Infinity, chunks: [], rest };
}
