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
import type { PartialSums, SumsQuery } from '#domain/weather/summaries/sums-query.js';
import type { Loss } from '#adapters/packed-store/damage.js';
import { MERGE_TIMES, MergeSchedule, type MergeTimes } from '#adapters/packed-store/merge-schedule.js';
import { stationOf } from '#adapters/packed-store/days/daily-series.js';
import { joinedInventory, type JoinedState, lossOfBoth } from '#adapters/packed-store/days/joined-states.js';
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
import { PostgresObservationTables } from './observation-tables.js';
import { ObservationWriter } from './observation-writer.js';
import { lossOf, newestOf } from './newest-rows.js';
import { partRows, RowReader } from './row-reader.js';
import { RunCache } from './run-cache.js';
import { PostgresSums } from './sums/postgres-sums.js';

/** Maximum number of blocks (groups of 64 stations) whose newest values are read in one transaction. It limits memory. */
const BLOCKS_AT_ONCE = 32;
/** Maximum number of blocks (groups of 64 stations) of a distributed database whose newest values are read at the same time. */
const READS_AT_ONCE = 4;
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
  readonly #reader: RowReader;
  readonly #sums: PostgresSums;

  constructor(database: PostgresDatabase, mergeTimes = TIMES) {
    this.#database = database;
    this.#damage = new DamageReport(database);
    this.#reader = new RowReader(database, this.runs, this.#damage);
    this.#sums = new PostgresSums(this.#reader, this.#damage);
    this.#merging = new Merging(database, this.runs);
    this.#schedule = new MergeSchedule(() => this.#merging.mergeSome(), mergeTimes);
    this.#writer = new ObservationWriter(database, this.runs, (blocks) => {
      if (this.#merging.note(blocks)) this.#schedule.request();
    });
    database.beforeClose(() => this.#schedule.stop());
    database.beforeClose(() => this.#sums.close());
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
    return [this.#damage, { name: 'merging', check: merging }, this.#sums];
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
    const limit = Math.min(partRows(variables), most);
    const decoded = variables && new Set(variables);
    let parts: (readonly [station: number, series: Series])[] = [];
    let rows = 0;
    let received = 0;
    for await (const part of this.#reader.parts(query, limit, () => most - received)) {
      const series = await this.#reader.decode(part, decoded);
      const { length } = series.times;
      if (length === 0) continue;
      parts.push([stationOf(part.series), series]);
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

  sum(query: SumsQuery): AsyncGenerator<PartialSums> {
    return this.#sums.sum(query);
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
}

function assemble(parts: readonly (readonly [number, Series])[], rows: number): ObservationBatch {
  const stations = new Uint32Array(rows);
  let at = 0;
  for (const [station, { times }] of parts) stations.fill(station, at, (at += times.length));
  return { stations, ...concatenate(parts.map(([, series]) => series)) };
}
