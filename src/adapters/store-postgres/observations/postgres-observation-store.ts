import { isStorable } from '#adapters/store/columns.js';
import { STATIONS } from '#adapters/store/stations/station-operations.js';
import type { Check } from '#application/ports/check.js';
import type {
  EraseRange,
  EraseStep,
  Inventory,
  ObservationQuery,
  ObservationStore,
  ObservationWrite,
  StationDescription,
  UndoStep,
  WriteResult,
} from '#application/ports/observation-store.js';
import { concatenate } from '#domain/weather/merge-series.js';
import type { ObservationBatch, Series } from '#domain/weather/series.js';
import type { Newest } from '#domain/weather/station-state.js';
import {
  type PartialSums,
  rowsOfBuckets,
  type SummedStation,
  type SumsQuery,
  StationsSums,
} from '#domain/weather/summaries/sums-query.js';
import type { Loss } from '#adapters/packed-store/damage.js';
import { MERGE_TIMES, MergeSchedule, type MergeTimes } from '#adapters/packed-store/merge-schedule.js';
import { dailySeriesOf, stationOf, wantedSeries } from '#adapters/packed-store/days/daily-series.js';
import { joinedInventory, type JoinedState, lossOfBoth } from '#adapters/packed-store/days/joined-states.js';
import { SeriesJoiner, type SeriesPart } from '#adapters/packed-store/days/series-joiner.js';
import { eraseStep } from '#adapters/store/observations/erase.js';
import type { ObservationOperation } from '#adapters/store/observations/tables.js';
import { undoStep } from '#adapters/store/observations/undo.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Query } from '../database/query.js';
import { runOver, runWith } from '../database/statements.js';
import { BlockStates } from './block-states.js';
import { blockOf, blocksOf, byBlocks, openBlocks } from './blocks.js';
import { DamageReport } from '../damage/damage-report.js';
import { Merging } from './merging.js';
import {
  type BlockPage,
  type BlockKey,
  type BlockQuery,
  decodePage,
  readPage,
} from './observation-reader.js';
import { PostgresObservationTables } from './observation-tables.js';
import { ObservationWriter } from './observation-writer.js';
import { lossOf, newestOf } from './newest-rows.js';
import { RunCache } from './run-cache.js';
import { SideBySide } from './side-by-side.js';

/** Approximate number of values in a batch: 4,096 rows of twelve variables. */
const BATCH_VALUES = 49_152;
/** Maximum number of rows in a batch with few variables. */
const MAX_BATCH_ROWS = 16_384;
/** Estimated number of variables of a station, for queries that name none. */
const DEFAULT_VARIABLES = 12;
/** Maximum number of blocks (groups of 64 stations) whose newest values are read in one transaction. It limits memory. */
const BLOCKS_AT_ONCE = 32;
/** Maximum number of blocks (groups of 64 stations) of a distributed database whose newest values are read at the same time. */
const READS_AT_ONCE = 4;
/** Maximum number of buckets whose sums are in memory for one part of `sum`. */
const SUMMED_BUCKETS = 16_384;
/**
 * Maximum number of parts of questions over many stations that are read at the same time, in addition to one part of each question.
 * Each part needs a connection, or two if its block (group of 64 stations) has daily values. Other calls need some of the ten
 * connections too.
 */
const PARTS_AT_ONCE = 3;
/** The result of a step of `sum` before all rows are read. */
const NO_SUMS: PartialSums['sums'] = new Map();
/**
 * Pauses of merging, in milliseconds. The first merge begins 10 s after the start of the service, and not after 1 s as with
 * `MERGE_TIMES`, because several instances may start at the same time, and one of them may already be merging. A failed merge
 * is repeated after 10 s too; the time doubles with each further failure.
 */
const TIMES: MergeTimes = { ...MERGE_TIMES, retry: 10_000 };

/**
 * Stores observations in PostgreSQL. The rows of a commit are first packed and stored as runs, one run for each block of 64
 * stations. Later the runs are merged into chunks, which contain the packed rows of 1, 8 or 64 days of one station.
 */
export class PostgresObservationStore implements ObservationStore {
  readonly #database: PostgresDatabase;
  readonly runs = new RunCache();
  readonly #states = new BlockStates();
  readonly #merging: Merging;
  readonly #schedule: MergeSchedule;
  readonly #writer: ObservationWriter;
  readonly #damage: DamageReport;
  readonly #sideBySide = new SideBySide(PARTS_AT_ONCE);

  constructor(database: PostgresDatabase, mergeTimes = TIMES) {
    this.#database = database;
    this.#damage = new DamageReport(database);
    this.#merging = new Merging(database, this.runs);
    this.#schedule = new MergeSchedule(() => this.#merging.mergeSome(), mergeTimes);
    this.#writer = new ObservationWriter(database, this.runs, (blocks) => {
      if (this.#merging.note(blocks)) this.#schedule.request();
    });
    database.beforeClose(() => this.#schedule.stop());
    database.onBreak(() => {
      this.runs.clear();
      this.#states.clear();
      this.#writer.clear();
      this.#merging.restart();
    });
  }

  /** Checks that may fail although the rest of the store works. */
  get checks(): readonly Check[] {
    const { location } = this.#database;
    const merging = async () => this.#schedule.defect?.replaceAll(location, 'the database');
    return [this.#damage, { name: 'merging', check: merging }];
  }

  write(writes: readonly ObservationWrite[]): Promise<WriteResult> {
    return this.#writer.write(writes);
  }

  append(batch: ObservationBatch): Promise<boolean> {
    return this.#writer.append(batch);
  }

  erase(ranges: readonly EraseRange[]): Promise<EraseStep> {
    return this.#run(eraseStep(ranges));
  }

  undo(importNumber: number): Promise<UndoStep> {
    return this.#run(undoStep(importNumber));
  }

  /** Runs an operation in one transaction. */
  #run<T>(operation: ObservationOperation<T>): Promise<T> {
    return this.#database.transaction((query) =>
      runWith(query, new PostgresObservationTables(query), operation),
    );
  }

  /**
   * Merges all runs (packed rows of one commit each) into chunks (packed rows of some days). Resolves when merging has ended or
   * has failed; `checks` reports a failure.
   */
  async merge(): Promise<void> {
    this.#merging.includeAll();
    await this.#schedule.run('all');
  }

  async *read(query: ObservationQuery): AsyncGenerator<ObservationBatch> {
    if (query.from >= query.to) return;
    const { variables, rows: most = Infinity } = query;
    const limit = Math.min(batchRows(variables), most);
    let parts: (readonly [station: number, series: Series])[] = [];
    let rows = 0;
    let received = 0;
    for await (const part of this.#parts(query, limit, () => most - received)) {
      const { length } = part[1].times;
      if (length === 0) continue;
      parts.push(part);
      rows += length;
      received += length;
      if (rows < limit) continue;
      const batch = assemble(parts, rows);
      [parts, rows] = [[], 0];
      yield batch;
      if (received >= most) return;
    }
    if (rows > 0) yield assemble(parts, rows);
  }

  /**
   * Sums rows in the thread of the caller, because they are decoded there. The blocks (groups of 64 stations) of a question over
   * many stations are read on several connections, so that the server reads some of them while others are decoded.
   */
  async *sum(query: SumsQuery): AsyncGenerator<PartialSums> {
    if (query.buckets.length === 0) return;
    yield* this.#sideBySide.run(sumGroups(query), (group) => this.#sumGroup(query, group));
  }

  async *#sumGroup(query: SumsQuery, [begin, end]: SumGroup): AsyncGenerator<PartialSums> {
    const { buckets, columns } = query;
    const stations = query.stations.slice(begin, end);
    const sums = new StationsSums({ ...query, stations });
    const indexes = new Map(stations.map(({ number }, index) => [number, index]));
    const range = { stations: stations.map(({ number }) => number), ...rowsOfBuckets(buckets) };
    const limit = batchRows(columns);
    let rows = 0;
    const wanted = columns === undefined ? range : { ...range, variables: columns };
    for await (const [station, series] of this.#parts(wanted, limit, () => Infinity)) {
      sums.add(indexes.get(station) as number, series);
      rows += series.times.length;
      if (rows < limit) continue;
      rows = 0;
      yield { at: begin * buckets.length, count: 0, sums: NO_SUMS };
    }
    const count = stations.length * buckets.length;
    yield { at: begin * buckets.length, count, sums: sums.summaries.sums(0, count) };
  }

  /**
   * Reads the rows of stations in parts. If the query wants reports and daily values, the two series of each station are joined.
   * Daily values are looked for only in blocks (groups of 64 stations) that have some.
   *
   * @param limit approximate number of rows in a part
   * @param left returns the number of rows that the caller still needs
   */
  async *#parts(query: ObservationQuery, limit: number, left: () => number): AsyncGenerator<SeriesPart> {
    const wanted = wantedSeries(query.variables);
    let joiner: SeriesJoiner | undefined;
    let block: number | undefined;
    for await (const [page, own] of this.#pages(await this.#queriesOf(query, !wanted.reports), left)) {
      if (own.block !== block && wanted.reports && wanted.days) {
        if (joiner !== undefined) yield* joiner.rest();
        joiner = page.open.hasDays ? new SeriesJoiner(this.#daysBeside(own, limit, left)) : undefined;
      }
      block = own.block;
      for await (const part of this.#decode(page, own, limit)) {
        if (joiner === undefined) yield part;
        else yield* joiner.add(part);
      }
    }
    if (joiner !== undefined) yield* joiner.rest();
  }

  /** The daily values of the stations whose reports are read by `reports`. */
  async *#daysBeside(reports: BlockQuery, limit: number, left: () => number): AsyncGenerator<SeriesPart> {
    const days = { ...reports, isOfDays: true, stations: reports.stations?.map(dailySeriesOf) };
    for await (const [page, own] of this.#pages([days], left)) yield* this.#decode(page, own, limit);
  }

  /** Decodes the rows of a page, by number of the station. Rejects with DATA_DAMAGED. */
  async *#decode(page: BlockPage, query: BlockQuery, limit: number): AsyncGenerator<SeriesPart> {
    try {
      for (const [series, rows] of decodePage(page, query, limit)) yield [stationOf(series), rows];
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
      const page = readPage(this.#database, this.runs, query, begin, left());
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

  async describe(id: string): Promise<StationDescription | undefined> {
    if (!isStorable(id)) return undefined;
    return await this.#database.reading(async (query, isReplica) => {
      const station = await runOver(query, STATIONS.find.begin(id));
      if (station === undefined) return undefined;
      const [found] = await this.#statesOf(query, isReplica, [station.number], (_number, states, loss) => {
        const { lastSeen, revision } = newestOf(station.number, states, loss);
        return { station, lastSeen, revision, inventory: joinedInventory(states, loss), rows: undefined };
      });
      return found;
    });
  }

  newest(stations: readonly number[]): Promise<readonly Newest[]> {
    return this.#inBlocks(stations, newestOf);
  }

  inventory(stations: readonly number[]): Promise<readonly Inventory[]> {
    return this.#inBlocks(stations, (_station, states, loss) => joinedInventory(states, loss));
  }

  /** Calls `make` for each station with its states (newest values and totals). Returns the results in the order of `stations`. */
  async #inBlocks<T>(
    stations: readonly number[],
    make: (station: number, states: JoinedState, loss: Loss | undefined) => T,
  ): Promise<readonly T[]> {
    const found = new Map<number, T>();
    const { isDistributed } = this.#database;
    // In a distributed database, one transaction reads only one block (group of 64 stations). All rows of a block are on one
    // server, and there is no common snapshot of several servers.
    const groups = byBlocks(stations, isDistributed ? 1 : BLOCKS_AT_ONCE);
    const atOnce = isDistributed ? READS_AT_ONCE : 1;
    for (let at = 0; at < groups.length; at += atOnce)
      await Promise.all(
        groups.slice(at, at + atOnce).map(async (some) => {
          const made = await this.#database.reading((query, isReplica) =>
            this.#statesOf(query, isReplica, some, make),
          );
          for (const [index, one] of made.entries()) found.set(some[index] as number, one);
        }),
      );
    return stations.map((station) => found.get(station) as T);
  }

  async #statesOf<T>(
    query: Query,
    isReplica: boolean,
    stations: readonly number[],
    make: (station: number, states: JoinedState, loss: Loss | undefined) => T,
  ): Promise<T[]> {
    const open = await openBlocks(query, blocksOf(stations), isReplica ? this.runs.intact : this.runs);
    const all = await this.#states.readBoth(query, stations, open);
    return all.map((states, index) => {
      const station = stations[index] as number;
      return make(station, states, lossOfBoth(states, lossOf(station, open.get(blockOf(station)))));
    });
  }

  async #blocks(): Promise<number[]> {
    const { rows } = await this.#database.read<{ block: number }>(
      'SELECT block FROM weatherd.block ORDER BY block',
    );
    return rows.map(({ block }) => block);
  }
}

/** Approximate number of rows in a batch. @param variables undefined means all */
function batchRows(variables: readonly number[] | undefined): number {
  return Math.min(Math.ceil(BATCH_VALUES / (variables?.length ?? DEFAULT_VARIABLES)), MAX_BATCH_ROWS);
}

/** The stations of a `SumsQuery` from index `begin` to `end` (not included), which are summed together. */
type SumGroup = readonly [begin: number, end: number];

/** Divides the stations of a question: the stations of a group follow each other and belong to one block (group of 64 stations). */
function* sumGroups({ stations, buckets }: SumsQuery): Generator<SumGroup> {
  const most = Math.max(1, Math.floor(SUMMED_BUCKETS / buckets.length));
  for (let begin = 0; begin < stations.length;) {
    const block = blockOf((stations[begin] as SummedStation).number);
    let end = begin + 1;
    while (
      end < stations.length &&
      end - begin < most &&
      blockOf((stations[end] as SummedStation).number) === block
    )
      end += 1;
    yield [begin, end];
    begin = end;
  }
}

function assemble(parts: readonly (readonly [number, Series])[], rows: number): ObservationBatch {
  const stations = new Uint32Array(rows);
  let at = 0;
  for (const [station, { times }] of parts) stations.fill(station, at, (at += times.length));
  return { stations, ...concatenate(parts.map(([, series]) => series)) };
}
