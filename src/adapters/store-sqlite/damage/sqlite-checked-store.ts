import type { Database } from 'better-sqlite3';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import { chunkKey, dayOfKey, DAYS, FIRST_DAY, stationOfKey } from '#adapters/formats/packed/chunk-key.js';
import { Run } from '#adapters/formats/packed/run-codec.js';
import {
  type CheckedChunk,
  type CheckedJournal,
  type CheckedRun,
  type CheckedStore,
  type CheckedTable,
  CHUNKS_AT_ONCE,
  type NamedDamage,
  type StoredBlock,
} from '#adapters/packed-store/check/stored-block.js';
import { stationOf } from '#adapters/packed-store/days/daily-series.js';
import type { Damage } from '#adapters/packed-store/damage.js';
import { StationStates } from '#adapters/packed-store/station-states.js';
import { isCorrupt } from './corrupt.js';
import { RUN_BLOCK, stationBlockOf } from '../levels/block-run.js';
import { NewestTable } from '../observations/newest-table.js';
import { ObservationReader, type Snapshot } from '../observations/observation-reader.js';

/**
 * Maximum number of journal entries that one query reads. A journal entry contains the values that one commit of an import has
 * changed, so that the import can be undone.
 */
const JOURNALS_AT_ONCE = 20;

/** Reads the observations of a data file for `weatherd check`, on a separate connection. */
export class SqliteCheckedStore implements CheckedStore {
  readonly #connection: Database;
  readonly #reader: ObservationReader;
  readonly #newest: NewestTable;
  readonly #statements;

  constructor(connection: Database) {
    this.#connection = connection;
    this.#reader = new ObservationReader(connection);
    this.#newest = new NewestTable(connection);
    const plucked = (text: string) => connection.prepare<[number], number>(text).pluck();
    this.#statements = {
      rows: connection.prepare<[], number | null>('SELECT sum(rows) FROM newest').pluck(),
      // The view `any_station` has all stations that exist or can be restored. It is read in addition to `newest`, because a
      // station without observations has no row in `newest`.
      stations: connection
        .prepare<[], number>('SELECT number FROM any_station UNION SELECT station FROM newest')
        .pluck(),
      erased: connection.prepare<[], number>('SELECT number FROM erased_station').pluck(),
      ids: connection.prepare<[], { number: number; id: string }>('SELECT number, id FROM any_station'),
      nextKey: plucked('SELECT min(key) FROM chunk WHERE key >= ?'),
      chunks: connection.prepare<[number, number], CheckedChunk & { key: number }>(
        `SELECT key, rows, variables, days, data FROM chunk WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ${CHUNKS_AT_ONCE}`,
      ),
      runs: connection.prepare<[], Omit<CheckedRun, 'run' | 'name'> & { id: number }>(
        'SELECT id, rows, first, last FROM run',
      ),
      tables: connection.prepare<
        [{ station: number }],
        Omit<CheckedTable, 'isRemoved'> & { isRemoved: number }
      >(
        `SELECT start, end, zone, data, 0 AS isRemoved FROM day_table WHERE station = @station
         UNION ALL SELECT month_start, month_end, zone, data, 1 FROM removed_month WHERE station = @station
         ORDER BY 1`,
      ),
      journals: connection.prepare<[number], CheckedJournal>(
        `SELECT id, import, data FROM import_journal WHERE id > ? ORDER BY id LIMIT ${JOURNALS_AT_ONCE}`,
      ),
    };
  }

  async rows(): Promise<number> {
    return this.#statements.rows.get() ?? 0;
  }

  async blocks(): Promise<readonly number[]> {
    const blocks = new Set(this.#statements.stations.all().map(stationBlockOf));
    for (const { block } of this.#reader.blocks.all()) blocks.add(block);
    for (const run of this.#reader.snapshot().all)
      for (const station of run.stations) blocks.add(stationBlockOf(station));
    for (let key = this.#nextKey(0); key !== undefined;) {
      const block = stationBlockOf(stationOfKey(key));
      blocks.add(block);
      key = this.#nextKey(chunkKey((block + 1) * RUN_BLOCK, FIRST_DAY));
    }
    return [...blocks].sort((a, b) => a - b);
  }

  /**
   * Runs `work` within a read transaction. Calls must not overlap, because all statements of the connection run in the same
   * transaction.
   */
  async read<T>(block: number, work: (stored: StoredBlock) => Promise<T>): Promise<T> {
    this.#connection.exec('BEGIN');
    try {
      return await work(this.#open(block));
    } finally {
      // Nothing was written, so a rollback is enough. If the check has found a damaged page of the data file, a commit would
      // fail.
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
    }
  }

  async ids(): Promise<ReadonlyMap<number, string>> {
    return new Map(this.#statements.ids.all().map(({ number, id }) => [number, id]));
  }

  async journals(after: number): Promise<readonly CheckedJournal[]> {
    return this.#statements.journals.all(after);
  }

  #open(block: number): StoredBlock {
    const snapshot = this.#reader.snapshot();
    const { runs, damage } = this.#openRuns(block, snapshot);
    const blockRuns = runs.filter(({ name }) => name.startsWith('block')).map(({ run }) => run);
    const states = new StationStates(this.#newest);
    const stations = this.#stationsOf(block, runs);
    return {
      block,
      stations,
      runs,
      damage,
      runsOf: (station) =>
        stationBlockOf(station) === block
          ? [...blockRuns, ...snapshot.all]
          : [...this.#readableRuns(stationBlockOf(station)), ...snapshot.all],
      stateOf: (station) => states.of(station, snapshot),
      chunks: async (station, after) => this.#chunks(station, after),
      listFault: (station) => this.#listFault(station),
      dailyAggregates: async (station) =>
        this.#statements.tables
          .all({ station })
          .map((table): CheckedTable => ({ ...table, isRemoved: table.isRemoved === 1 })),
    };
  }

  #listFault(station: number): string | undefined {
    try {
      const listed = [...this.#reader.lists.of(station).between(FIRST_DAY, FIRST_DAY + DAYS)];
      const found = this.#reader.lists.found(station);
      const index = listed.findIndex(
        ({ day, days }, at) => found[at]?.day !== day || found[at]?.days !== days,
      );
      if (index < 0 && found.length === listed.length) return undefined;
      return `the chunk list differs from the chunks: ${listed.length} are listed, and ${found.length} are stored`;
    } catch (error) {
      if (error instanceof DamagedBlobError) return error.message;
      if (isCorrupt(error)) return undefined; // The check of the rows reports this damage.
      throw error;
    }
  }

  #openRuns(block: number, snapshot: Snapshot): { runs: CheckedRun[]; damage: NamedDamage[] } {
    const noted = new Map(this.#statements.runs.all().map((row) => [row.id, row]));
    const runs = snapshot.all.map((run): CheckedRun => {
      const { rows = 0, first = null, last = null } = noted.get(run.id) ?? {};
      return { name: `run ${run.id}`, run, rows, first, last };
    });
    const damage: Damage[] = [...snapshot.damage];
    const loss = this.#reader.blocks.loss(block);
    if (loss !== undefined) damage.push(loss);
    for (const row of this.#reader.blocks.of(block)) {
      const run = this.#reader.blocks.open(row);
      if (run instanceof Run) runs.push({ ...row, name: `block ${row.id}`, run });
      else damage.push(run);
    }
    const named = damage.map((one) => ({ name: `${one.kind} ${one.key} damaged`, damage: one }));
    return { runs, damage: named.filter(({ damage: one }) => affects(one, block)) };
  }

  /** The runs of another block, which has the daily values of the stations of the checked block. Damaged runs are left out. */
  #readableRuns(block: number): Run[] {
    return this.#reader.blocks.of(block).flatMap((row) => {
      const run = this.#reader.blocks.open(row);
      return run instanceof Run ? [run] : [];
    });
  }

  /** The stations of a block (group of 64 stations) that have rows, except stations that are being erased. */
  #stationsOf(block: number, runs: readonly CheckedRun[]): number[] {
    const erased = new Set(this.#statements.erased.all());
    const all = new Set(this.#statements.stations.all());
    for (const { run } of runs) for (const station of run.stations) all.add(station);
    const end = (block + 1) * RUN_BLOCK;
    for (let station = block * RUN_BLOCK; station < end; station += 1) {
      const key = this.#nextKey(chunkKey(station, FIRST_DAY));
      if (key === undefined) break;
      station = stationOfKey(key);
      all.add(station);
    }
    const own = [...all].filter(
      (station) => stationBlockOf(station) === block && !erased.has(stationOf(station)),
    );
    return own.sort((a, b) => a - b);
  }

  #chunks(station: number, after: number): CheckedChunk[] {
    const from = chunkKey(station, Math.max(after + 1, FIRST_DAY));
    try {
      const rows = this.#statements.chunks.all(from, chunkKey(station, FIRST_DAY + DAYS - 1));
      return rows.map((row) => ({ ...row, day: dayOfKey(row.key) }));
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      throw new DamagedBlobError(error.message, { cause: error });
    }
  }

  /**
   * Returns the smallest key of a chunk that is not smaller than `from`. A chunk contains the packed rows of some days of a
   * station, and its key is a number made of the station and the first day.
   *
   * Returns undefined if there is no such key, or if a page of the data file is damaged. In the case of damage, the check still
   * finds all existing stations, because it also reads them from other tables.
   */
  #nextKey(from: number): number | undefined {
    try {
      return this.#statements.nextKey.get(from) ?? undefined;
    } catch (error) {
      if (isCorrupt(error)) return undefined;
      throw error;
    }
  }
}

function affects({ stations }: Damage, block: number): boolean {
  return stations === null || stations.length === 0 || stations.some((one) => stationBlockOf(one) === block);
}
