import type { Database } from 'better-sqlite3';
import type { Inventory, ShortRange } from '#application/ports/observation-store.js';
import { type ChartColumns, thinned } from '#domain/weather/charts/thinned.js';
import { concatenate } from '#domain/weather/merge-series.js';
import type { ObservationBatch, Series } from '#domain/weather/series.js';
import { DESCRIBED } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import type { BucketSums } from '#domain/weather/summaries/bucket.js';
import { rowsOfBuckets, type SumsQuery, StationsSums } from '#domain/weather/summaries/sums-query.js';
import { seriesOf, stationOf } from '#adapters/packed-store/days/daily-series.js';
import {
  describedState,
  joinedInventory,
  joinedState,
  lossOfBoth,
  revisionOf,
} from '#adapters/packed-store/days/joined-states.js';
import { StationStates } from '#adapters/packed-store/station-states.js';
import { type Damage, type Loss, lossesOf } from '#adapters/packed-store/damage.js';
import { dailyAggregateReads } from '../daily-aggregates/daily-aggregate-operations.js';
import { ObservationReader, type Snapshot, type SomeRows } from './observation-reader.js';
import { NewestTable } from './newest-table.js';
import { CHECKED_STATIONS } from '../ledgers/station-names.js';
import { RUN_BLOCK } from '../levels/block-run.js';
import { runOn } from '../database/statements.js';
import { transferred } from '#adapters/formats/transferred.js';

/** A read of one page of observations, which is a limited part of the requested rows. */
export interface ReadRequest extends ReadPosition {
  readonly from: number;
  readonly to: number;
  readonly variables: readonly number[] | undefined;
  readonly limit: number;
  readonly columns: ChartColumns | undefined;
}

/** The start of a page, which is a limited part of the requested rows. */
export interface ReadPosition {
  /** The stations that are still to be read. */
  readonly stations: readonly number[];
  /** Time at which the read of the first station continues. For the other stations, the read begins at `from`. */
  readonly resumeAt: number;
}

/** The time to find the rows of a station, in rows that are summed in this time. */
const ROWS_OF_STATION = 128;
/** The time and memory for the sums of a bucket without rows, in rows that are summed in this time. */
const ROWS_OF_BUCKET = 8;

/** A `SumsQuery` for a thread. */
export interface SumsRequest extends Omit<SumsQuery, 'buckets'> {
  /** The start and the end of each bucket, one after the other, because sending an object for each bucket takes longer. */
  readonly bounds: Float64Array;
  /** Number of rows that are read at a time. */
  readonly pageRows: number;
  /** Number of rows after which the sums are returned, even if rows remain for further buckets. Without rows, stations count too. */
  readonly limit: number;
}

/** The sums of the first buckets of a `SumsRequest`, in the order of `PartialSums.at`. */
export interface SumsPage {
  readonly sums: BucketSums;
  /** Number of these buckets. */
  readonly count: number;
}

export interface ReadPage {
  readonly batch: ObservationBatch;
  /** The start of the next page (the next part of the requested rows), or null at the end. */
  readonly next: ReadPosition | null;
}

/** The states of some stations. The state of a station contains its newest values. */
export interface ReadStates {
  /**
   * For each station, in the order of the request, the first `DESCRIBED` numbers of its state. These numbers contain the newest
   * values.
   */
  readonly data: Float64Array;
  /** The revision of each station, a number that rises when its rows change. */
  readonly revisions: Float64Array;
  /**
   * The losses, by number of the station. A loss is the range of times in which rows of the station are unknown, because a
   * damaged blob may contain them. Stations without losses are missing.
   */
  readonly losses: ReadonlyMap<number, Loss>;
  /** Damaged runs (blobs with rows of one commit) that were not moved to the table `damaged` yet. */
  readonly newDamage: readonly Damage[];
}

/** The result of `ObservationStore.describe`, with the newest values as numbers. */
export interface DescribedRows {
  readonly station: Station;
  readonly states: ReadStates;
  readonly inventory: Inventory;
  readonly rows: Series | undefined;
}

/** The operations of a reading thread. Each call reads in a separate transaction and does not wait for the writer. */
export function readOperations(database: Database) {
  const reader = new ObservationReader(database);
  const stationStates = new StationStates(new NewestTable(database));
  const stationId = database.prepare<[number], string>('SELECT id FROM station WHERE number = ?').pluck();
  const stored = database
    .prepare<[], number>('SELECT station FROM newest UNION SELECT station FROM chunk_list')
    .pluck();
  const statesOf = (stations: readonly number[], runs: Snapshot): ReadStates => {
    const data = new Float64Array(stations.length * DESCRIBED);
    const revisions = new Float64Array(stations.length);
    const losses = new Map(lossesOf(runs.damage, stations));
    stationStates.update(runs.hasDays ? seriesOf(stations) : stations, runs);
    for (const [index, station] of stations.entries()) {
      const states = joinedState(stationStates, station, runs);
      data.set(describedState(states), index * DESCRIBED);
      revisions[index] = revisionOf(states);
      const loss = lossOfBoth(states, losses.get(station));
      if (loss !== undefined) losses.set(station, loss);
    }
    return { data, revisions, losses, newDamage: runs.newDamage };
  };
  return {
    observations: (request: ReadRequest): ReadPage => {
      const page = read(reader, request);
      return transferred(page, buffersOf(page.batch, page.batch.stations));
    },
    sums: (request: SumsRequest): SumsPage => {
      const page = sumRows(reader, request);
      const [first] = [...page.sums.values()].flat();
      return transferred(page, first === undefined ? [] : [first.buffer]);
    },
    describe: (id: string, range?: ShortRange): DescribedRows | undefined => {
      const station = runOn(database, CHECKED_STATIONS.find.begin(id));
      if (station === undefined) return undefined;
      const { number } = station;
      const runs = reader.snapshot();
      const states = statesOf([number], runs);
      const both = joinedState(stationStates, number, runs);
      const inventory = joinedInventory(both, states.losses.get(number));
      const rows = range && reader.readShort(number, range, runs);
      return transferred({ station, states, inventory, rows }, rows ? buffersOf(rows) : []);
    },
    /**
     * Returns the states of stations (such as their newest values) in one array, which is transferred to the calling thread
     * without a copy.
     */
    states: (stations: readonly number[]): ReadStates => {
      const states = statesOf(stations, reader.snapshot());
      return transferred(states, [states.data.buffer, states.revisions.buffer]);
    },
    inventory: (stations: readonly number[]): Inventory[] => {
      const runs = reader.snapshot();
      const losses = lossesOf(runs.damage, stations);
      stationStates.update(runs.hasDays ? seriesOf(stations) : stations, runs);
      return stations.map((station) => {
        const states = joinedState(stationStates, station, runs);
        return joinedInventory(states, lossOfBoth(states, losses.get(station)));
      });
    },
    /** Numbers of the stations that have rows. */
    stationNumbers: (): number[] => [
      ...new Set(
        [...stored.all(), ...reader.snapshot().all.flatMap((run) => [...run.stations])].map(stationOf),
      ),
    ],
    idOf: (station: number): string => stationId.get(stationOf(station)) ?? '',
    ...dailyAggregateReads(database),
    inTransaction: <T>(work: () => T): T => database.transaction(work)(),
  };
}

/**
 * The buffers of columns that are transferred to another thread. A transferred buffer is lost for this thread. So no buffer may
 * belong to a run in the cache, which is a blob whose columns this thread reads again later.
 */
function buffersOf({ times, values, flags }: Series, ...more: readonly ArrayBufferView[]): ArrayBufferLike[] {
  const columns = [times, ...values.values(), ...flags.values(), ...more];
  return [...new Set(columns.map(({ buffer }) => buffer))];
}

/**
 * Reads rows of one station after the other until there are at least `limit` rows. If the rows are for a chart (`columns` is
 * set), rows that the chart does not need are removed.
 */
function read(reader: ObservationReader, request: ReadRequest): ReadPage {
  const variables = request.variables && new Set(request.variables);
  const runs = reader.snapshot();
  const parts: [station: number, series: Series][] = [];
  let rows = 0;
  let from = Math.max(request.from, request.resumeAt);
  for (const [index, station] of request.stations.entries()) {
    const page = (resumeAt: number) => ({
      batch: assemble(parts),
      next: { stations: request.stations.slice(index), resumeAt },
    });
    if (rows >= request.limit) return page(-Infinity);
    const { series, next } = reader.readBoth(
      station,
      from,
      request.to,
      variables,
      request.limit - rows,
      runs,
    );
    const kept = request.columns === undefined ? series : thinned(series, request.columns);
    if (kept.times.length > 0) parts.push([station, kept]);
    rows += series.times.length;
    if (next !== null) return page(next);
    from = request.from;
  }
  return { batch: assemble(parts), next: null };
}

/** Reads rows of stations and sums them, until all buckets are complete or at least `limit` rows were read. */
function sumRows(
  reader: ObservationReader,
  { bounds, columns, pageRows, limit, ...query }: SumsRequest,
): SumsPage {
  const buckets = Array.from({ length: bounds.length / 2 }, (_, index) => ({
    start: bounds[2 * index] as number,
    end: bounds[2 * index + 1] as number,
  }));
  const runs = reader.snapshot();
  const sums = new StationsSums({ ...query, buckets });
  const page = (count: number) => ({ sums: sums.summaries.sums(0, count), count });
  const variables = columns && new Set(columns);
  const { from: begin, to } = rowsOfBuckets(buckets);
  const { length } = buckets;
  const ownRows = ROWS_OF_STATION + length * ROWS_OF_BUCKET;
  let rows = 0;
  const numbers = query.stations.map(({ number }) => number);
  for (let index = 0; index < numbers.length;) {
    const some = numbers.slice(index, index + RUN_BLOCK);
    const together = reader.readTogether(some, begin, to, variables, limit - rows, runs);
    for (const { columns: decoded, first, end } of together) {
      sums.addAll(index, decoded, first, end);
      index += 1;
      rows += end - first + ownRows;
    }
    // The next station has no space. It begins the next page, so that its buckets are not divided between two pages.
    if (together.length === 0 && rows > limit / 2) return page(index * length);
    if (together.length === 0) {
      for (let from: number | null = begin; from !== null;) {
        const { series, next }: SomeRows = reader.readBoth(
          numbers[index] as number,
          from,
          to,
          variables,
          pageRows,
          runs,
        );
        sums.add(index, series);
        from = next;
        rows += series.times.length;
        if (next === null || rows < limit) continue;
        // The rows of a bucket end 1 ms after the bucket; see `rowsOfBuckets`.
        const count = index * length + buckets.findLastIndex(({ end }) => end < next) + 1;
        if (count > 0) return page(count);
      }
      index += 1;
      rows += ownRows;
    }
    if (rows >= limit) return page(index * length);
  }
  return page(query.stations.length * length);
}

function assemble(parts: readonly (readonly [number, Series])[]): ObservationBatch {
  const rows = parts.reduce((sum, [, { times }]) => sum + times.length, 0);
  const stations = new Uint32Array(rows);
  let at = 0;
  for (const [station, { times }] of parts) stations.fill(station, at, (at += times.length));
  return { stations, ...concatenate(parts.map(([, series]) => series)) };
}
