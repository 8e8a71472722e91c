import type { Database } from 'better-sqlite3';
import type { ShortRange } from '#application/ports/observation-store.js';
import { MILLISECONDS } from '#domain/time.js';
import { mergeAll } from '#domain/weather/merge-series.js';
import { lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { discardedOld } from '#adapters/formats/garbage.js';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import type { Chunk } from '#adapters/formats/packed/chunk-codec.js';
import { chunkKey, dayOf, dayOfKey, stationOfKey } from '#adapters/formats/packed/chunk-key.js';
import { type ChunkRow, decodeAll, openChunk } from '#adapters/formats/packed/decoded-series.js';
import type { ChunkList } from '#adapters/formats/packed/chunk-list.js';
import { Run } from '#adapters/formats/packed/run-codec.js';
import type { ChunkDays } from '#adapters/packed-store/chunks/chunk-days.js';
import { DAILY_SERIES, dailySeriesOf, wantedSeries } from '#adapters/packed-store/days/daily-series.js';
import { joinSeries } from '#adapters/packed-store/days/series-joiner.js';
import { haveDays } from '#adapters/packed-store/days/joined-states.js';
import { gatherRows } from '#adapters/packed-store/run-rows.js';
import {
  decodeStations,
  type PackedStation,
  type StationRows,
  stationRows,
} from '#adapters/packed-store/station-columns.js';
import type { StoredRows } from '#adapters/packed-store/write-target.js';
import type { Runs } from '#adapters/packed-store/station-states.js';
import {
  type Damage,
  damagedChunk,
  DamagedDataError,
  missingChunk,
  missingRun,
  openRun,
  type DamagedRunRow,
  runsOf,
  mayAffect,
} from '#adapters/packed-store/damage.js';
import { damagedReads } from '../damage/quarantine.js';
import { stationBlockOf } from '../levels/block-run.js';
import { BlockRuns } from '../levels/block-runs.js';
import { ChunkLists, damagedList, listDifferences, unlistedChunk } from '../ledgers/chunk-lists.js';
import { missingRuns } from '../ledgers/missing-runs.js';
import { ChunkTable } from './chunk-table.js';

/**
 * The unmerged runs and the known damage, as a transaction sees them. An unmerged run is a blob with rows of one commit that were
 * not moved into larger blobs yet.
 */
export interface Snapshot extends Runs {
  /** All damage: the damaged blobs that were moved to the table `damaged`, and `newDamage`. */
  readonly damage: readonly Damage[];
  /** Damaged runs (blobs with rows of one commit) that were not moved to the table `damaged` yet. */
  readonly newDamage: readonly Damage[];
}

/** Rows of a station, and the time at which the next read begins; null at the end. */
export interface SomeRows {
  readonly series: Series;
  readonly next: number | null;
}

/**
 * The block number in the keys of runs of commits. Such a run has rows of one commit, of all stations. It does not belong to a
 * single block, which is a group of 64 stations.
 */
export const ALL_STATIONS = 0;
/**
 * Maximum number of chunks (blobs with the rows of one station and some days) that are read together. It limits the time of the
 * statement that reads them. `limit` of `readTogether` limits their rows.
 */
const MAX_TOGETHER = 128;
/** Maximum number of chunks (blobs with the rows of one station and some days) that are cached within a transaction. */
const MAX_CACHED = 4;

/**
 * Reads observations from two kinds of blobs: from chunks, which have the rows of one station and some days, and from runs, which
 * have new rows that are not in chunks yet. A value in a run replaces the value of the same time in a chunk.
 */
export class ObservationReader implements StoredRows {
  /** The runs of blocks, which are blobs with new rows of 64 stations each. They are read when a station of the block is read. */
  readonly blocks: BlockRuns;
  readonly chunks: ChunkTable;
  readonly lists: ChunkLists;
  readonly #runs = new Map<number, Run | Damage>();
  /** Decoded chunks (blobs with the rows of one station and some days) of this transaction, by key. */
  readonly #opened = new Map<number, Chunk>();
  readonly #runIds;
  readonly #run;
  readonly #lastRun;
  readonly #merged;
  readonly #damaged;
  readonly #newest;
  /** Whether a station has daily values, or had some when the file was last looked at. */
  #hasDays = false;
  /** Id of the last merged run when the states were last searched for daily values. A run has the rows of one commit. */
  #lookedAt: number | undefined;
  readonly #onDamagedBlob: ((damage: Damage) => void) | undefined;

  /**
   * @param onDamagedBlob called for a damaged chunk (rows of one station) or a damaged run of a block (new rows of 64
   *   stations), which is then skipped. If it is undefined, reading throws.
   */
  constructor(database: Database, onDamagedBlob?: (damage: Damage) => void) {
    this.#onDamagedBlob = onDamagedBlob;
    this.blocks = new BlockRuns(database);
    this.chunks = new ChunkTable(database);
    this.lists = new ChunkLists(database);
    this.#merged = database.prepare<[], number>('SELECT id FROM run_merged').pluck();
    this.#runIds = database.prepare<[], number>('SELECT id FROM run ORDER BY id').pluck();
    this.#run = database.prepare<[number], Omit<DamagedRunRow, 'id'>>(
      'SELECT rows, first, last, data FROM run WHERE id = ?',
    );
    this.#lastRun = database
      .prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'run'")
      .pluck();
    this.#damaged = damagedReads(database);
    this.#newest = database
      .prepare<[], number | null>(
        'SELECT max((SELECT coalesce(max(station), 0) FROM newest), (SELECT coalesce(max(station), 0) FROM chunk_list))',
      )
      .pluck();
  }

  /** Reads the current runs, which are blobs with rows of one commit each. A run never changes, so each run is read only once. */
  snapshot(): Snapshot {
    // The cached chunks (blobs with the rows of some days) are dropped, because another transaction may have changed them.
    this.#opened.clear();
    this.blocks.forget();
    this.lists.forget();
    // The query may return an id twice if a page of the file is damaged.
    const ids = [...new Set(this.#runIds.all())];
    discardedOld(this.#dropRuns(new Set(ids)));
    const all: Run[] = [];
    const newDamage: Damage[] = [];
    for (const id of ids) {
      const run = this.#runs.get(id) ?? this.#open(id);
      if (run instanceof Run) all.push(run);
      else newDamage.push(run);
    }
    const merged = this.#merged.get() ?? 0;
    const last = Math.max(this.#lastRun.get() ?? 0, merged, ids.at(-1) ?? 0);
    const aside = this.#damaged.damage();
    newDamage.push(...missingRuns(ids, aside, merged, last));
    const damage = [...aside, ...newDamage];
    this.#hasDays ||= haveDays(all);
    // States change when runs are merged. The series of daily values have the highest numbers. A series whose state was lost is in
    // the chunk lists.
    if (!this.#hasDays && merged !== this.#lookedAt) {
      this.#hasDays = (this.#newest.get() ?? 0) >= DAILY_SERIES;
      this.#lookedAt = merged;
    }
    return { all, damage, newDamage, damagedRuns: runsOf(damage), last, hasDays: this.#hasDays };
  }

  /**
   * Drops cached runs (blobs with rows of one commit each) that do not exist in the file any more.
   *
   * @returns their memory, in bytes
   */
  #dropRuns(current: ReadonlySet<number>): number {
    const dropped = [...this.#runs].filter(([id]) => !current.has(id));
    for (const [id] of dropped) this.#runs.delete(id);
    return dropped.reduce((sum, [, run]) => sum + (run instanceof Run ? run.bytes : 0), 0);
  }

  /** Adds a run, which is a blob with rows of one commit, to the cache. This connection has just written the run. */
  remember(run: Run): void {
    this.#runs.set(run.id, run);
  }

  /**
   * Reads rows of a station in `[from, to)`. Chunks, which are blobs with the rows of some days, are read as a whole until there
   * are at least `limit` rows.
   *
   * @param variables numbers of the variables; undefined means all
   * @param snapshot the result of `snapshot`. It is a parameter, because calling `snapshot` for each of many stations would
   *   double the time.
   * @returns the rows, and the time at which the next read begins; null at the end
   * @throws DamagedDataError if some of the rows are damaged
   */
  read(
    station: number,
    from: number,
    to: number,
    variables: ReadonlySet<number> | undefined,
    limit: number,
    { all, damage }: Snapshot,
  ): SomeRows {
    const { chunks, next } = this.#readChunks(station, from, to, limit);
    const until = Math.min(to, next ?? Infinity);
    const inBlock = this.#runsOf(station, from, until);
    const damaged = damage.find((one) => mayAffect(one, station, from, until));
    if (damaged !== undefined) throw new DamagedDataError({ damage: damaged, station, from });
    const packed = { station, chunks, runs: [...inBlock, ...all] };
    return { series: stationRows(packed, from, until, variables), next };
  }

  /**
   * Reads the rows of several stations in `[from, to)` with few statements.
   *
   * @param limit maximum number of rows in the chunks, which are blobs with the rows of some days
   * @returns the rows of the first stations. They belong to one block (a group of 64 stations), their numbers are in ascending order,
   *   and they have at most `MAX_TOGETHER` chunks with at most `limit` rows. None if the first station has more, or if both series of
   *   a station are wanted
   * @throws DamagedDataError if some of the rows are damaged
   */
  readTogether(
    stations: readonly number[],
    from: number,
    to: number,
    variables: ReadonlySet<number> | undefined,
    limit: number,
    { all, damage, hasDays }: Snapshot,
  ): StationRows[] {
    if (hasDays && wantedSeries(variables).days) return [];
    const found = this.#chunksTogether(leading(stations), from, to, limit);
    const packed = found.map((rows, index): PackedStation => {
      const station = stations[index] as number;
      const chunks = this.#openListed(station, rows, from, to);
      const inBlock = this.#runsOf(station, from, to);
      const damaged = damage.find((one) => mayAffect(one, station, from, to));
      if (damaged !== undefined) throw new DamagedDataError({ damage: damaged, station, from });
      return { station, chunks, runs: inBlock.length === 0 ? all : [...inBlock, ...all] };
    });
    return decodeStations(packed, from, to, variables);
  }

  /** The chunks of `readTogether` (blobs with the rows of some days), for each of the first stations. */
  #chunksTogether(
    stations: readonly number[],
    from: number,
    to: number,
    limit: number,
  ): (readonly ChunkRow[])[] {
    this.lists.load(stations);
    const [begin, end] = [dayOf(from), dayOf(to - 1) + 1];
    let [wanted, stored, count] = [0, 0, 0];
    for (const station of stations) {
      const list = this.#listOf(station, from);
      wanted += list.count(begin, end);
      if (wanted > MAX_TOGETHER) break;
      stored += list.count();
      count += 1;
    }
    const some = stations.slice(0, count);
    const [first, last] = [some[0] ?? 0, some.at(-1) ?? 0];
    const found = some.map((): ChunkRow[] => []);
    let rows = 0;
    const hasSpace = (row: ChunkRow) => (rows += row.rows) <= limit;
    // One statement for all stations also returns chunks that are not wanted: of other stations, and of other days.
    if (stored > 2 * wanted || last - first >= 2 * count) {
      for (const [index, station] of some.entries())
        for (const row of this.chunks.between(station, from, to)) {
          if (!hasSpace(row)) return found.slice(0, index);
          found[index]?.push(row);
        }
      return found;
    }
    const indexes = new Map(some.map((station, index) => [station, index]));
    for (const row of this.chunks.ofStations(first, last)) {
      const [day, index] = [dayOfKey(row.key), indexes.get(stationOfKey(row.key))];
      if (index === undefined || day >= end || day + row.days <= begin) continue;
      if (!hasSpace(row)) return found.slice(0, index);
      found[index]?.push(row);
    }
    return found;
  }

  /**
   * Reads like `read`, but the rows of both series of a station: its reports and its daily values. Values of the same time are in
   * one row.
   */
  readBoth(
    station: number,
    from: number,
    to: number,
    variables: ReadonlySet<number> | undefined,
    limit: number,
    runs: Snapshot,
  ): SomeRows {
    const wanted = wantedSeries(variables);
    const days = dailySeriesOf(station);
    if (!runs.hasDays || !wanted.days) return this.read(station, from, to, variables, limit, runs);
    if (!wanted.reports) return this.read(days, from, to, variables, limit, runs);
    const reports = this.read(station, from, to, variables, limit, runs);
    const ofDays = this.read(days, from, reports.next ?? to, variables, limit, runs);
    if (ofDays.series.times.length === 0 && ofDays.next === null) return reports;
    // The daily values may reach their limit first. The reports behind it are read again by the next read.
    const next = ofDays.next ?? reports.next;
    const own =
      ofDays.next === null
        ? reports.series
        : sliceSeries(reports.series, 0, lowerBound(reports.series.times, ofDays.next));
    return { series: joinSeries(own, ofDays.series), next };
  }

  /** The rows of a short range; undefined if the range may contain more than `maxRows` rows, or if some of the rows are damaged. */
  readShort(
    station: number,
    { from, to, variables, maxRows }: ShortRange,
    runs: Snapshot,
  ): Series | undefined {
    const wanted = wantedSeries(variables);
    const series = [
      ...(wanted.reports ? [station] : []),
      ...(wanted.days && runs.hasDays ? [dailySeriesOf(station)] : []),
    ];
    let rows = 0;
    try {
      for (const one of series) {
        rows += this.chunks.countRows(one, from, to);
        for (const run of [...this.#runsOf(one, from, to), ...runs.all]) {
          const [begin, end] = run.find(one, from, to) ?? [0, 0];
          rows += end - begin;
        }
      }
      if (rows > maxRows) return undefined;
      return this.readBoth(station, from, to, variables && new Set(variables), Infinity, runs).series;
    } catch (error) {
      if (error instanceof DamagedDataError) return undefined;
      throw error;
    }
  }

  /**
   * Reads rows of a station in `[from, to)`. All rows after the time `chunksEnd` are in `runs`, which are blobs with new rows. If
   * the range begins after this time, no chunks (blobs with older rows) have to be read. This is the usual case when rows around
   * new rows are read.
   *
   * @param chunksEnd see `CachedState.chunksEnd`
   */
  recent(station: number, from: number, to: number, runs: readonly Run[], chunksEnd: number): Series {
    if (from > chunksEnd) return gatherRows(runs, station, from, to);
    const overlay = gatherRows([...this.#runsOf(station, from, to), ...runs], station, from, to);
    const [first, last] = [dayOf(from), dayOf(to - 1)];
    const chunks =
      last - first < MAX_CACHED
        ? this.#cachedChunks(station, first, last)
        : this.#readChunks(station, from, to, Infinity).chunks;
    return mergeAll([decodeAll(chunks, undefined, from, to), overlay]);
  }

  /**
   * Whether the stored rows are available without waiting. In SQLite they always are, because every chunk (a blob with the rows
   * of some days) can be read at any time.
   */
  has(): boolean {
    return true;
  }

  /** The runs of the block of a station (blobs with new rows of 64 stations) that have rows of the station in `[from, to)`. */
  #runsOf(station: number, from: number, to: number): Run[] {
    return this.blocks.opened(station, from, to, (damage) => {
      if (this.#onDamagedBlob !== undefined) this.#onDamagedBlob(damage);
      else if (mayAffect(damage, station, from, to)) throw new DamagedDataError({ damage, station, from });
    });
  }

  /**
   * The chunks (blobs with the rows of some days) that contain the days from `first` to `last`. The chunks are cached, because
   * successive late rows need the same chunks.
   */
  #cachedChunks(station: number, first: number, last: number): Chunk[] {
    const chunks: Chunk[] = [];
    for (let day = first; day <= last; day += 1) {
      const place = this.#listOf(station, day * MILLISECONDS.day).find(day);
      if (place === undefined) continue;
      day = place.day + place.days - 1;
      const key = chunkKey(station, place.day);
      let chunk = this.#opened.get(key);
      if (chunk === undefined) {
        chunk = this.#chunkAt(station, place.day);
        if (chunk === undefined) continue;
        if (this.#opened.size >= MAX_CACHED) this.#opened.clear();
        this.#opened.set(key, chunk);
      }
      chunks.push(chunk);
    }
    return chunks;
  }

  /** The rows of the chunk (a blob with the rows of some days) that begins at a day; undefined if there is none. */
  readChunk(station: number, day: number): Series | undefined {
    const chunk = this.#chunkAt(station, day);
    return chunk && decodeAll([chunk], undefined);
  }

  #chunkAt(station: number, day: number): Chunk | undefined {
    const from = day * MILLISECONDS.day;
    const row = this.chunks.get(station, day);
    const listed = this.#listOf(station, from).find(day);
    if (row === undefined || listed?.day !== day || listed.days !== row.days) {
      if (row === undefined && listed?.day !== day) return undefined;
      this.#report(
        row === undefined
          ? missingChunk(station, listed as ChunkDays)
          : unlistedChunk(station, { day, days: row.days }),
        station,
        from,
      );
      return undefined;
    }
    return this.#openChunk(station, row, from);
  }

  /** The list of the chunks that a station must have. A chunk is a blob with the rows of some days. */
  #listOf(station: number, from: number): ChunkList {
    try {
      return this.lists.of(station);
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      this.#report(damagedList(station, error), station, from);
      this.lists.repair(station);
      return this.lists.of(station);
    }
  }

  /** Reports damage. @throws DamagedDataError if there is no `onDamagedBlob` */
  #report(damage: Damage, station: number, from: number): void {
    if (this.#onDamagedBlob === undefined) throw new DamagedDataError({ damage, station, from });
    this.#onDamagedBlob(damage);
  }

  /**
   * The rows of a station from the day `first` to the day `last`, both included. New rows that are not in chunks (blobs with the
   * rows of some days) yet are left out.
   */
  readDays(station: number, first: number, last: number): Series {
    const [from, to] = [first * MILLISECONDS.day, (last + 1) * MILLISECONDS.day];
    return decodeAll(this.#readChunks(station, from, to, Infinity).chunks, undefined, from, to);
  }

  /**
   * Reads chunks (blobs with the rows of some days) until they have `limit` rows. `next` is the end of the last chunk that was
   * read, or null if no chunk remains.
   */
  #readChunks(
    station: number,
    from: number,
    to: number,
    limit: number,
  ): { chunks: Chunk[]; next: number | null } {
    const selected: ChunkRow[] = [];
    let rows = 0;
    let next: number | null = null;
    for (const row of this.chunks.between(station, from, to)) {
      selected.push(row);
      rows += row.rows;
      if (rows < limit) continue;
      // This read ends at the end of this chunk (a blob with the rows of some days), for example on 8 May, even if the next
      // chunk begins only on 17 May. The days between the two chunks belong to the next read. A read fails if new rows in its
      // range are damaged. If new rows of the days between are damaged, this read thus still succeeds.
      const end = (dayOfKey(row.key) + row.days) * MILLISECONDS.day;
      next = end < to ? end : null;
      break;
    }
    // Damage is reported after the loop: the report moves a damaged chunk (a blob with the rows of some days) to the table
    // `damaged`, and SQLite allows no write during the iteration of a statement.
    return { chunks: this.#openListed(station, selected, from, next ?? to), next };
  }

  /** Decodes all chunks of a station in `[from, to)`, which are blobs with its rows of some days. Reports missing chunks. */
  #openListed(station: number, rows: readonly ChunkRow[], from: number, to: number): Chunk[] {
    for (const damage of listDifferences(this.#listOf(station, from), station, rows, from, to))
      this.#report(damage, station, from);
    const chunks = rows.map((row) => this.#openChunk(station, row, from));
    return chunks.filter((chunk) => chunk !== undefined);
  }

  /**
   * Decodes a chunk, which is a blob with the rows of some days.
   *
   * @returns undefined for a damaged chunk, after `onDamagedBlob` was called
   */
  #openChunk(station: number, row: ChunkRow, from: number): Chunk | undefined {
    try {
      return openChunk(row);
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      this.#report(damagedChunk(station, row, error), station, from);
      return undefined;
    }
  }

  #open(id: number): Run | Damage {
    const row = this.#run.get(id);
    const opened = row === undefined ? missingRun(id) : openRun(ALL_STATIONS, { id, ...row });
    this.#runs.set(id, opened);
    return opened;
  }
}

/** The first of these stations that belong to one block (a group of 64 stations) and have ascending numbers. */
function leading(stations: readonly number[]): readonly number[] {
  const end = stations.findIndex((station, index) => {
    const before = stations[index - 1] ?? -Infinity;
    return station <= before || stationBlockOf(station) !== stationBlockOf(stations[0] as number);
  });
  return end === -1 ? stations : stations.slice(0, end);
}
