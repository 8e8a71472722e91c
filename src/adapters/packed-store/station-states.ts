import type { Inventory } from '#application/ports/observation-store.js';
import type { DamagedSpan } from '#domain/weather/damaged-data.js';
import type { Series } from '#domain/weather/series.js';
import { StationState } from '#domain/weather/station-state.js';
import { keyedChecksum } from '#adapters/formats/packed/blob.js';
import { SeriesTarget } from '#adapters/formats/packed/columns/packed-series.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import { decodeState, encodeState } from '#adapters/formats/packed/state-codec.js';
import { ALL_TIMES, type Loss } from './damage.js';

/**
 * The runs that are not merged, as one transaction sees them. A run has the rows of one commit. A merge moves the rows into
 * larger pieces, such as chunks (rows of whole days), and then deletes the run.
 */
export interface Runs {
  /** The runs (rows of single commits) that are not merged into larger pieces yet, oldest first. */
  readonly all: Run[];
  /** Id of the newest run that was ever written, even if its rows were merged and the run was deleted; 0 if there was none. */
  last: number;
  /** Ids of the runs that cannot be read, joined to one text, for example `7,9`. */
  readonly damagedRuns: string;
  /** Whether one of the stations may have daily values, which are in a series of their own. */
  readonly hasDays: boolean;
}

/**
 * The state of a station (its newest values), and its totals, such as the number of its rows. Without them, all rows of the
 * station would have to be read.
 */
export interface CachedState {
  readonly state: StationState;
  /** Id of the last run that has rows of the station. A run has the rows of one commit. */
  revision: number;
  /**
   * Id of the last run whose rows are included in this state, even if this run has no rows of the station. A run has the rows of
   * one commit, and a later run has a higher id.
   */
  seen: number;
  /**
   * Time after which all rows can be read from runs alone. A run has the rows of one commit. Chunks, which have the rows of whole
   * days, need not be read: if a chunk has a row after this time, the same row is also in a run.
   */
  chunksEnd: number;
  /**
   * Id of the oldest run that existed when `chunksEnd` was set; if there was no run, the id of the next run. A run (the rows of
   * one commit) is deleted when its rows have been merged into larger pieces. If the oldest existing run has a higher id now,
   * runs were merged in the meantime, and `chunksEnd` must be set again.
   */
  oldest: number;
  /** Number of rows. */
  rows: number;
  /** Time of the oldest row; Infinity if there is none. */
  first: number;
  /**
   * First and last time of the rows that were written or changed, but for which no recheck was requested yet. A recheck checks
   * the quality of stored values again. Infinity and -Infinity if there are no such rows.
   */
  uncheckedFrom: number;
  uncheckedTo: number;
  /**
   * Whether the row in the table `newest` was damaged, so that the state and the totals may be wrong. Writers continue with the
   * readable values.
   */
  readonly isDamaged?: boolean;
}

/**
 * A row of the database table `newest`. It has the state of a station (its newest values and totals), as it was at the last
 * merge, which moved its rows from single commits into larger pieces.
 */
export interface NewestRow {
  readonly revision: number;
  readonly rows: number;
  readonly first: number | null;
  readonly data: Buffer;
  /** First and last time of the rows whose quality must be checked again, as in `CachedState`; null if there are no such rows. */
  readonly uncheckedFrom: number | null;
  readonly uncheckedTo: number | null;
  /** The result of `checksumOf`; null if an earlier version of the program has written the row. Such a row is not checked. */
  readonly checksum: number | null;
}

/**
 * A run is decoded as a whole if at least one of `MIN_SHARE` of its stations is needed. Decoding a row alone takes about ten times
 * as long as decoding it among all rows.
 */
const MIN_SHARE = 10;

/**
 * The checksum of a row whose state was damaged. No valid row has this checksum, so every read notices the damage until the state
 * is repaired.
 */
const DAMAGED_CHECKSUM = -1;

/** CRC-32 of the number of the station, the columns and the data. */
export function checksumOf(station: number, row: Omit<NewestRow, 'checksum'>): number {
  const { revision, rows, first, uncheckedFrom, uncheckedTo, data } = row;
  const numbers = [revision, rows, first, uncheckedFrom, uncheckedTo].map((number) => number ?? Number.NaN);
  return keyedChecksum([station, ...numbers], data);
}

/** The table `newest`, within the transaction of the caller. */
export interface NewestRows {
  find(station: number): NewestRow | undefined;
  put(station: number, row: NewestRow): void;
}

/**
 * Caches the states of stations. A state has the newest values of a station. It includes the runs (rows of single commits) up to
 * the id `seen`. A merge stores the state in the table `newest`, and then deletes the merged runs.
 *
 * When the state of a station is requested, the cached state may lack the rows of newer runs:
 *
 *     runs    ... 5  6  7 | 8  9  10  11
 *             merged      | not merged
 *     case 1                     ^ seen = 9: runs 10 and 11 are added to the cached state
 *     case 2         ^ seen = 6: run 7 was deleted; the state is read from the table, and runs 8 to 11 are added
 *
 * 1. All runs after `seen` still exist. They are added to the cached state.
 * 2. A run after `seen` was merged and deleted, perhaps by another process. The state is read from the table again, and the runs
 *    that are not merged are added.
 *
 * If the set of damaged runs differs from the last call, all states are read again. They then include no rows of damaged runs, so
 * that all threads and processes return the same states.
 */
export class StationStates {
  readonly #cache = new Map<number, CachedState>();
  readonly #stored: NewestRows;
  #damagedRuns = '';

  constructor(stored: NewestRows) {
    this.#stored = stored;
  }

  /**
   * Returns the state of a station (its newest values and totals). The state includes the rows of all runs (rows of single
   * commits).
   */
  of(station: number, runs: Runs): CachedState {
    const cached = this.#known(station, runs);
    const { all, last } = runs;
    if (cached.seen >= last) return cached;
    let at = all.length;
    while (at > 0 && (all[at - 1] as Run).id > cached.seen) at -= 1;
    addRuns(cached, station, all, at);
    cached.seen = last;
    return cached;
  }

  /**
   * Like `of`, without decoding the runs (rows of single commits), because the caller has decoded them.
   *
   * @param series the rows of the station from all runs
   */
  ofDecoded(station: number, { all, ...runs }: Runs, series: Series): CachedState {
    const cached = this.#known(station, { all, ...runs });
    for (const run of all) {
      const place = run.id > cached.seen ? run.place(station) : undefined;
      if (place !== undefined) countRows(cached, run, place);
    }
    cached.state.advance(series);
    cached.seen = Math.max(cached.seen, runs.last);
    return cached;
  }

  /**
   * Prepares calls of `of` for many stations: adds the rows of new runs to their states. A run with rows of many of them is decoded
   * once for all, and not for each station.
   */
  update(stations: readonly number[], runs: Runs): void {
    const outdated = stations
      .map((station) => ({ station, cached: this.#known(station, runs) }))
      .filter(({ cached }) => cached.seen < runs.last);
    for (const run of runs.all) {
      const own = outdated.filter(({ station, cached }) => run.id > cached.seen && run.has(station));
      if (own.length > 0) {
        // Runs are added in their order. If a run is not worth decoding as a whole, `of` adds it and all later runs.
        if (own.length * MIN_SHARE < run.stations.length) return;
        const { columns } = run;
        for (const { station, cached } of own) {
          const place = run.place(station) as RunPart['place'];
          addRows(cached, run, place, columns, place[0]);
        }
      }
      for (const { cached } of outdated) cached.seen = Math.max(cached.seen, run.id);
    }
  }

  /** The cached or stored state of a station. It may lack the rows of the newest runs. */
  #known(station: number, { all, last, damagedRuns }: Runs): CachedState {
    if (damagedRuns !== this.#damagedRuns) {
      this.#cache.clear();
      this.#damagedRuns = damagedRuns;
    }
    let cached = this.#cache.get(station);
    const oldest = all[0]?.id ?? last + 1;
    if (cached === undefined || hasMissed(cached, oldest)) {
      cached = this.#read(station, oldest);
      this.#cache.set(station, cached);
    }
    if (oldest > cached.oldest) {
      // Since `chunksEnd` was set, runs (rows of single commits) were merged into chunks (rows of whole days). The state includes
      // the rows of all these runs, and its newest row has the time `lastSeen`. So no row in a chunk is newer than `lastSeen`.
      cached.chunksEnd = cached.state.lastSeen;
      cached.oldest = oldest;
    }
    return cached;
  }

  /** Whether `of` reads the state from the table. */
  isStale(station: number, { all, last, damagedRuns }: Runs): boolean {
    const cached = this.#cache.get(station);
    return (
      cached === undefined || damagedRuns !== this.#damagedRuns || hasMissed(cached, all[0]?.id ?? last + 1)
    );
  }

  /**
   * Writes the state of a station (its newest values and totals) to the table, and caches it. All rows that the state includes
   * must be stored: in runs (rows of single commits) that still exist, or in chunks (rows of whole days), into which the runs
   * were merged.
   */
  save(station: number, cached: CachedState): void {
    this.#cache.set(station, cached);
    const { state, revision, rows, first, uncheckedFrom, uncheckedTo, isDamaged = false } = cached;
    const isChecked = uncheckedFrom > uncheckedTo;
    const row = {
      revision,
      rows,
      first: first === Infinity ? null : first,
      data: encodeState(state.data),
      uncheckedFrom: isChecked ? null : uncheckedFrom,
      uncheckedTo: isChecked ? null : uncheckedTo,
    };
    this.#stored.put(station, { ...row, checksum: isDamaged ? DAMAGED_CHECKSUM : checksumOf(station, row) });
  }

  /** Clears the cache, because a transaction that was rolled back may have changed it. */
  forget(): void {
    this.#cache.clear();
  }

  #read(station: number, oldest: number): CachedState {
    const row = this.#stored.find(station);
    const isDamaged = row !== undefined && row.checksum !== null && row.checksum !== checksumOf(station, row);
    const state = new StationState(row && (isDamaged ? readableState(row.data) : decodeState(row.data)));
    // The revision is the id of the last run (the rows of one commit) that the state includes. In a damaged row of the table,
    // this id may be too high. The state would then seem to include runs that it lacks, and would stay in the cache even after a
    // repair. Therefore the id of a damaged row is lowered to the id before the oldest existing run.
    const revision = Math.min(row?.revision ?? 0, isDamaged ? oldest - 1 : Infinity);
    return {
      state,
      revision,
      seen: revision,
      chunksEnd: state.lastSeen,
      oldest,
      rows: row?.rows ?? 0,
      first: row?.first ?? Infinity,
      uncheckedFrom: row?.uncheckedFrom ?? Infinity,
      uncheckedTo: row?.uncheckedTo ?? -Infinity,
      ...(isDamaged && { isDamaged }),
    };
  }
}

/** The data of a state; undefined if they cannot be decoded. */
function readableState(blob: Buffer): Float64Array | undefined {
  try {
    return decodeState(blob);
  } catch {
    return undefined;
  }
}

/** The times at which rows may be missing from a state (the newest values of a station) that is damaged: all times. */
const ALL_LOST: Loss = { ...ALL_TIMES, runs: 'the state' };

/**
 * Returns the range of times at which rows of a station may be missing. These are all times if the state of the station (its
 * newest values) is damaged, otherwise `loss`.
 */
export function lossOfState({ isDamaged = false }: CachedState, loss: Loss | undefined): Loss | undefined {
  return isDamaged ? ALL_LOST : loss;
}

/**
 * Whether the state lacks the rows of a run that no longer exists. A run has the rows of one commit. It is deleted when its rows
 * have been merged into larger pieces. The state includes the rows of all runs up to the id `seen`. If the oldest existing run
 * has an id above `seen` + 1, a run between the two was deleted.
 *
 * @param oldest id of the oldest run that still exists
 */
function hasMissed({ seen }: CachedState, oldest: number): boolean {
  return oldest > seen + 1;
}

/** The rows of a station in a run, and where they are in decoded columns. */
interface RunPart {
  readonly run: Run;
  readonly place: readonly [from: number, to: number, inserted: number];
  readonly at: number;
}

/**
 * Adds the rows of a station in the runs from the index `first` on to its state. They are decoded together, because a run may have
 * only one row of the station.
 */
function addRuns(cached: CachedState, station: number, runs: readonly Run[], first: number): void {
  const parts: RunPart[] = [];
  let rows = 0;
  for (let index = first; index < runs.length; index += 1) {
    const run = runs[index] as Run;
    const place = run.place(station);
    if (place === undefined) continue;
    parts.push({ run, place, at: rows });
    rows += place[1] - place[0];
  }
  if (rows === 0) return;
  const target = new SeriesTarget(rows);
  for (const { run, place, at } of parts) run.decode(target, place[0], place[1], at);
  const { series } = target;
  for (const { run, place, at } of parts) addRows(cached, run, place, series, at);
}

/**
 * Adds the rows of a station in a run to its state.
 *
 * @param columns columns with the decoded rows, from the row `at` on
 */
function addRows(cached: CachedState, run: Run, place: RunPart['place'], columns: Series, at: number): void {
  cached.state.advanceRows(columns, at, at + place[1] - place[0]);
  countRows(cached, run, place);
}

/** Adds the rows of a station in a run to the totals of its state. */
function countRows(cached: CachedState, run: Run, [from, to, inserted]: RunPart['place']): void {
  const [first, last] = [run.times[from] as number, run.times[to - 1] as number];
  cached.revision = run.id;
  cached.rows += inserted;
  cached.first = Math.min(cached.first, first);
  noteUnchecked(cached, first, last);
}

/**
 * Records that the rows from `first` to `last` were written or changed, so that the quality of their values will be checked
 * again.
 */
export function noteUnchecked(cached: CachedState, first: number, last: number): void {
  cached.uncheckedFrom = Math.min(cached.uncheckedFrom, first);
  cached.uncheckedTo = Math.max(cached.uncheckedTo, last);
}

/**
 * Returns the range of times in which rows were written or changed since the last call.
 *
 * @returns undefined if no rows were changed
 */
export function consumeUnchecked(
  cached: CachedState,
): { readonly from: number; readonly to: number } | undefined {
  const { uncheckedFrom: from, uncheckedTo: last } = cached;
  cached.uncheckedFrom = Infinity;
  cached.uncheckedTo = -Infinity;
  return from > last ? undefined : { from, to: last + 1 };
}

/** The inventory of a station whose state is damaged: nothing is known. */
const NOTHING = { state: new StationState(), rows: 0, first: Infinity };

/**
 * Creates the inventory of a station: the number of its rows, their first and last time, and their variables.
 *
 * @param damaged range of times with damaged rows
 */
export function inventoryOf(cached: CachedState, damaged?: DamagedSpan): Inventory {
  const { isDamaged: isUnknown = false } = cached;
  const { state, rows, first } = isUnknown ? NOTHING : cached;
  const totals = {
    first: first === Infinity ? null : first,
    last: state.lastSeen === -Infinity ? null : state.lastSeen,
    count: rows,
    variables: state.variables(),
    ...(isUnknown && { isUnknown }),
  };
  return damaged === undefined
    ? totals
    : { ...totals, damaged: { first: damaged.first, last: damaged.last } };
}
