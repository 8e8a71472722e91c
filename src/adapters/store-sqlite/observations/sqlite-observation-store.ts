import type { Check } from '#application/ports/check.js';
import type {
  EraseRange,
  EraseStep,
  Inventory,
  ObservationQuery,
  ObservationStore,
  ObservationWrite,
  ShortRange,
  StationDescription,
  UndoStep,
  WriteResult,
} from '#application/ports/observation-store.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import { MILLISECONDS } from '#domain/time.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import type { PartialSums, SumsQuery } from '#domain/weather/summaries/sums-query.js';
import { DESCRIBED, SnapshotState, type Newest } from '#domain/weather/station-state.js';
import { closedImport } from '#domain/weather/undo/undo-counts.js';
import { revisionText } from '#adapters/packed-store/damage.js';
import { MergeSchedule, type MergeTimes } from '#adapters/packed-store/merge-schedule.js';
import { DamageReport } from '../damage/damage-report.js';
import { RemoteMerging } from '../remote/remote-merging.js';
import type { ReadPosition, ReadStates, SumsPage } from './read-operations.js';
import { READERS, type SqliteDatabase } from '../database/sqlite-database.js';

/** Approximate number of values in a batch, which is a part of the rows that a read returns: 4,096 rows of twelve variables. */
const BATCH_VALUES = 49_152;
/** Maximum number of rows in a batch, if the rows have few variables. A batch is a part of the rows that a read returns. */
const MAX_BATCH_ROWS = 16_384;
/** Estimated number of variables of a station, for queries that name none. */
const DEFAULT_VARIABLES = 12;
/** Number of stations in the first groups that the reading threads read at the same time. */
const FIRST_STATIONS = 8;
/** Maximum number of stations in a group. */
const MAX_GROUP = 1024;
/** Approximate number of values that a thread sums in one call, so that other reads do not wait long. */
const SUMMED_VALUES = 8 * BATCH_VALUES;
/**
 * Number of buckets in the first call of a thread. The number of rows in them is not known before. A further call may have twice as many
 * buckets as the call before it could sum.
 */
const FIRST_BUCKETS = 64;
/**
 * Sums over more than this time are computed by all reading threads together, in milliseconds. For a shorter time a second call
 * costs more than it saves.
 */
const SHARED_TIME = 90 * MILLISECONDS.day;
/**
 * Maximum number of stations whose states (such as their newest values) are read in the thread for short reads. Such a read takes
 * two milliseconds.
 */
const FEW_STATIONS = 512;

/** Stores observations in a SQLite data file. */
export class SqliteObservationStore implements ObservationStore {
  readonly #database: SqliteDatabase;
  readonly #schedule: MergeSchedule | RemoteMerging;
  readonly #damage: DamageReport;

  /**
   * @param remote the process that writes the file, and that merges (moves rows of single commits into larger blobs); undefined
   *   if this process does both
   */
  constructor(database: SqliteDatabase, mergeTimes?: MergeTimes, remote?: StoreWriter) {
    this.#database = database;
    this.#schedule =
      remote === undefined
        ? new MergeSchedule((scope) => database.call('mergeRuns', scope), mergeTimes)
        : new RemoteMerging(remote);
    this.#damage = new DamageReport(database);
    database.beforeClose(() => this.#schedule.stop());
  }

  /**
   * Health checks of parts that can fail while the rest of the store works: whether stored data are damaged, and whether merging
   * (moving new rows into larger blobs) works.
   */
  get checks(): readonly Check[] {
    const { file } = this.#database;
    // The API shows the message of the defect, and must not show paths. The path of the data file in the message is therefore
    // replaced.
    const merging = async () => this.#schedule.defect?.replaceAll(file, 'the data file');
    return [this.#damage, { name: 'merging', check: merging }];
  }

  async write(writes: readonly ObservationWrite[]): Promise<WriteResult> {
    const columns = writes.flatMap(({ batch }) => [batch.stations, batch.times, ...batch.values.values()]);
    const buffers = [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))];
    let written = await this.#database.callWithTransfer(buffers, 'writeObservations', writes);
    while (written.result === undefined) {
      if (written.isClosed) throw closedImport();
      written = await this.#database.call('continueWrite', written.number);
    }
    if (written.due) this.#schedule.request();
    return written.result;
  }

  async undo(importNumber: number): Promise<UndoStep> {
    // Before the undo, all new rows are moved into chunks, which are blobs with the rows of one station. This is done in several
    // parts, so that other operations do not wait long. The undo itself then only has to move the rows that are written
    // meanwhile.
    await this.#schedule.run('all');
    return await this.#database.call('undoImport', importNumber);
  }

  async append(batch: ObservationBatch): Promise<boolean> {
    const { isAdded, due } = await this.#database.call('appendObservations', batch);
    if (due) this.#schedule.request();
    return isAdded;
  }

  async erase(ranges: readonly EraseRange[]): Promise<EraseStep> {
    // Before rows are erased, all new rows are moved into chunks (blobs with the rows of one station), as in `undo`.
    await this.#schedule.run('all');
    return await this.#database.call('eraseObservations', ranges);
  }

  async *read(query: ObservationQuery): AsyncGenerator<ObservationBatch> {
    const { from, to, variables, columns, rows = Infinity } = query;
    if (from >= to) return;
    const stations = query.stations ?? (await this.#database.read('stationNumbers'));
    const limit = Math.min(rowsAtOnce(variables), rows);
    const sorted = [...stations].sort((a, b) => a - b);
    const request = (place: ReadPosition) => {
      const page = this.#database.read('observations', { ...place, from, to, variables, limit, columns });
      // A page is a part of the requested rows. It is read while the caller uses the page before it, and is awaited only
      // afterwards. If the read fails before it is awaited, this handler prevents an unhandled rejection.
      page.catch(() => undefined);
      return { stations: place.stations.length, page };
    };
    // The pages of successive groups of stations, one page of each group, in order. A caller that needs few rows gets the pages one
    // after the other.
    const pages: ReturnType<typeof request>[] = [];
    let [begun, size] = [0, FIRST_STATIONS];
    const beginGroups = () => {
      while (pages.length < (rows === Infinity ? READERS : 1) && begun < sorted.length) {
        const group = sorted.slice(begun, (begun += rows === Infinity ? size : sorted.length));
        pages.push(request({ stations: group, resumeAt: -Infinity }));
      }
    };
    let received = 0;
    beginGroups();
    for (let [first] = pages; first !== undefined; [first] = pages) {
      const { batch, next } = await first.page.catch((error: unknown) => this.#damage.fail(error));
      const { length } = batch.times;
      received += length;
      // The next pages are read while the caller uses this one, unless the caller has enough rows.
      if (next !== null && received < rows) pages[0] = request(next);
      else pages.shift();
      // The next group has about as many stations as fit into a page.
      const read = Math.max(1, first.stations - (next?.stations.length ?? 0));
      size = Math.min(Math.max(1, Math.floor((limit * read) / Math.max(1, length))), MAX_GROUP);
      if (received < rows) beginGroups();
      if (length > 0) yield batch;
    }
  }

  async *sum({ stations, buckets, ...query }: SumsQuery): AsyncGenerator<PartialSums> {
    const pageRows = rowsAtOnce(query.columns);
    const limit = Math.ceil(SUMMED_VALUES / (query.columns?.length ?? DEFAULT_VARIABLES));
    const steps = new Map<Share, Promise<{ share: Share; page: SumsPage; more: number }>>();
    const request = (share: Share, count: number) => {
      const part = partOf({ at: share.at, end: Math.min(share.at + count, share.end) }, buckets.length);
      const own = {
        stations: stations.slice(...part.stations),
        bounds: boundsOf(buckets.slice(...part.buckets)),
      };
      const asked = own.stations.length * (own.bounds.length / 2);
      const step = this.#database.read('sums', { ...query, ...own, pageRows, limit }).then((page) => {
        // A part that ends with the buckets of its station says nothing about how many buckets a call can sum.
        const summed = page.count < asked ? page.count : count;
        return { share, page, more: 2 * summed };
      });
      // If one step fails, the caller awaits no other step. This handler prevents an unhandled rejection.
      step.catch(() => undefined);
      steps.set(share, step);
    };
    for (const share of sharesOf(stations.length, buckets)) request(share, FIRST_BUCKETS);
    while (steps.size > 0) {
      const finished = Promise.race(steps.values()).catch((error: unknown) => this.#damage.fail(error));
      const { share, page, more } = await finished;
      steps.delete(share);
      // The thread works on its next buckets while the caller uses the sums.
      const next = share.at + page.count;
      if (next < share.end) request({ at: next, end: share.end }, more);
      yield { at: share.at, count: page.count, sums: page.sums };
    }
  }

  async describe(id: string, range?: ShortRange): Promise<StationDescription | undefined> {
    const described = await this.#database.read('describe', id, range);
    if (described === undefined) return undefined;
    const { station, states, inventory, rows } = described;
    const [newest] = this.#newest([station.number], states);
    const { lastSeen, revision } = newest as Newest;
    return { station, lastSeen, revision, inventory, rows };
  }

  async newest(stations: readonly number[]): Promise<readonly Newest[]> {
    // The states (such as the newest values) of few stations are read in the thread for short reads. Live events need these
    // states, and must not wait for long reads of observations or for a thread with low priority.
    const states =
      stations.length <= FEW_STATIONS
        ? this.#database.lookUp('states', stations)
        : this.#database.read('states', stations);
    return this.#newest(stations, await states);
  }

  #newest(stations: readonly number[], { data, revisions, losses, newDamage }: ReadStates): Newest[] {
    this.#damage.putAside(newDamage);
    return stations.map((station, index) => {
      const revision = revisions[index] as number;
      const loss = losses.get(station);
      const state = data.subarray(index * DESCRIBED, (index + 1) * DESCRIBED);
      return new SnapshotState(state, station, revisionText(revision, loss), loss);
    });
  }

  inventory(stations: readonly number[]): Promise<readonly Inventory[]> {
    return this.#database.read('inventory', stations);
  }

  /**
   * Merges: moves all rows that are in blobs of single commits into larger blobs. Resolves when merging has ended or has failed.
   * A failure is reported by `checks`.
   *
   * @param scope `all` moves all rows into chunks, which are blobs with the rows of one station; `due` does this only for
   *   blocks (groups of 64 stations) with enough rows
   */
  merge(scope: 'due' | 'all' = 'all'): Promise<void> {
    return this.#schedule.run(scope);
  }

  /**
   * Starts a merge in the background, which moves rows from blobs of single commits into larger blobs. The scope is `due`; see
   * `merge`.
   */
  requestMerge(): void {
    this.#schedule.request();
  }
}

/** Number of rows that a thread reads at a time. @param variables undefined means all */
function rowsAtOnce(variables: readonly number[] | undefined): number {
  return Math.min(Math.ceil(BATCH_VALUES / (variables?.length ?? DEFAULT_VARIABLES)), MAX_BATCH_ROWS);
}

/** The buckets of a query from index `at` to `end` (not included), in the order of `PartialSums.at`. */
interface Share {
  readonly at: number;
  readonly end: number;
}

/** Divides the buckets of a number of stations among the reading threads. */
function sharesOf(stations: number, buckets: readonly Bucket[]): readonly Share[] {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (first === undefined || last === undefined) return [];
  const shares = stations * (last.end - first.start) > SHARED_TIME ? READERS : 1;
  const all = stations * buckets.length;
  const size =
    stations === 1 ? Math.ceil(buckets.length / shares) : Math.ceil(stations / shares) * buckets.length;
  return Array.from({ length: Math.ceil(all / size) }, (_, index) => ({
    at: index * size,
    end: Math.min((index + 1) * size, all),
  }));
}

/**
 * The part of a share that one call of a thread can sum: whole stations, or some buckets of one station.
 *
 * @param length number of buckets of a station
 * @returns the first station and the end, and the first bucket and the end
 */
function partOf({ at, end }: Share, length: number): Parts {
  const [station, bucket] = [Math.floor(at / length), at % length];
  const stations = Math.floor((end - at) / length);
  return bucket === 0 && stations > 0
    ? { stations: [station, station + stations], buckets: [0, length] }
    : { stations: [station, station + 1], buckets: [bucket, Math.min(bucket + end - at, length)] };
}

interface Parts {
  readonly stations: readonly [from: number, to: number];
  readonly buckets: readonly [from: number, to: number];
}

/** `SumsRequest.bounds` */
function boundsOf(buckets: readonly Bucket[]): Float64Array {
  const bounds = new Float64Array(2 * buckets.length);
  for (const [index, { start, end }] of buckets.entries()) bounds.set([start, end], 2 * index);
  return bounds;
}
