import type { Inventory } from '#application/ports/observation-store.js';
import type { DamagedSpan } from '#domain/weather/damaged-data.js';
import { StationState } from '#domain/weather/station-state.js';
import { keyedChecksum } from '#adapters/formats/packed/blob.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import { decodeState, encodeState } from '#adapters/formats/packed/state-codec.js';
import { ALL_TIMES, type Loss } from './damage.js';
import { mayHave } from './run-extent.js';

/** The runs that are not merged, as one transaction sees them. */
export interface Runs {
  /** Oldest first. */
  readonly all: Run[];
  /** Id of the newest run ever written, even if it has been merged; 0 if there was none. */
  last: number;
  /** Ids of the damaged runs, joined to one text. */
  readonly damagedRuns: string;
}

/** The state and the totals of a station, so that its rows need not be read. */
export interface CachedState {
  readonly state: StationState;
  /** Id of the last run with rows of the station. */
  revision: number;
  /** Id of the last run that this state includes, whether or not the run has rows of the station. */
  seen: number;
  /** Rows in chunks that are newer than this time are also in a run. */
  chunksEnd: number;
  /** Id of the oldest run that was not merged when `chunksEnd` was set. */
  oldest: number;
  /** Number of rows. */
  rows: number;
  /** Time of the oldest row; Infinity if there is none. */
  first: number;
  /** First and last time of the rows that were written or changed and are not among the requests for judging yet. */
  unjudgedFrom: number;
  unjudgedTo: number;
  /** Whether the stored row was damaged, so that the state and the totals may be wrong. Writers go on with what can be read of it. */
  readonly isDamaged?: boolean;
}

/** A row of the table `newest`: the state of a station as of its last merge. */
export interface NewestRow {
  readonly revision: number;
  readonly rows: number;
  readonly first: number | null;
  readonly data: Buffer;
  /** As in `CachedState`; null if there are no such rows. */
  readonly unjudgedFrom: number | null;
  readonly unjudgedTo: number | null;
  /** As `checksumOf` returns it; null in a row that a former version wrote, which is not checked. */
  readonly checksum: number | null;
}

/** The checksum of a row whose state was damaged before. No row has it, so that the damage is noticed until it is repaired. */
const UNSOUND = -1;

/** CRC-32 of the number of the station, of the columns and of the data. */
export function checksumOf(station: number, row: Omit<NewestRow, 'checksum'>): number {
  const { revision, rows, first, unjudgedFrom, unjudgedTo, data } = row;
  const numbers = [revision, rows, first, unjudgedFrom, unjudgedTo].map((number) => number ?? Number.NaN);
  return keyedChecksum([station, ...numbers], data);
}

/** The table `newest`, within the transaction of the caller. */
export interface NewestRows {
  find(station: number): NewestRow | undefined;
  put(station: number, row: NewestRow): void;
}

/**
 * Caches the states of stations. The table `newest` holds each state as of the last merge of the station. Newer runs
 * are added to it in memory:
 *
 *     runs    ... 5  6  7 | 8  9  10  11
 *             merged      | not merged
 *     case 1                     ^ seen = 9: runs 10 and 11 are added to the cached state
 *     case 2         ^ seen = 6: run 7 is merged and deleted; the state is read from the table, all four are added
 *
 * 1. All runs after `seen` still exist: the cached state is brought up to date.
 * 2. A run after `seen` has been merged, perhaps by another process: the state is read again.
 * 3. The set of damaged runs differs from the last call: all states are read again. They then include no rows of
 *    damaged runs, so that all threads and processes return the same states.
 */
export class StationStates {
  readonly #cache = new Map<number, CachedState>();
  readonly #stored: NewestRows;
  #damagedRuns = '';

  constructor(stored: NewestRows) {
    this.#stored = stored;
  }

  /** The state of a station, including all of the runs. */
  of(station: number, { all, last, damagedRuns }: Runs): CachedState {
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
      // Runs have been merged, but this state includes all of them.
      cached.chunksEnd = cached.state.lastSeen;
      cached.oldest = oldest;
    }
    if (cached.seen >= last) return cached;
    let at = all.length;
    while (at > 0 && (all[at - 1] as Run).id > cached.seen) at -= 1;
    for (; at < all.length; at += 1) addRun(cached, station, all[at] as Run);
    cached.seen = last;
    return cached;
  }

  /** Whether `of` would read the state from the table. */
  isStale(station: number, { all, last, damagedRuns }: Runs): boolean {
    const cached = this.#cache.get(station);
    return (
      cached === undefined || damagedRuns !== this.#damagedRuns || hasMissed(cached, all[0]?.id ?? last + 1)
    );
  }

  /** Writes a state to the table, and keeps it. All runs that it includes must be merged or still exist. */
  save(station: number, cached: CachedState): void {
    this.#cache.set(station, cached);
    const { state, revision, rows, first, unjudgedFrom, unjudgedTo, isDamaged = false } = cached;
    const isChecked = unjudgedFrom > unjudgedTo;
    const row = {
      revision,
      rows,
      first: first === Infinity ? null : first,
      data: encodeState(state.data),
      unjudgedFrom: isChecked ? null : unjudgedFrom,
      unjudgedTo: isChecked ? null : unjudgedTo,
    };
    this.#stored.put(station, { ...row, checksum: isDamaged ? UNSOUND : checksumOf(station, row) });
  }

  /** Clears the cache, because a transaction that was rolled back may have changed it. */
  forget(): void {
    this.#cache.clear();
  }

  #read(station: number, oldest: number): CachedState {
    const row = this.#stored.find(station);
    const isDamaged = row !== undefined && row.checksum !== null && row.checksum !== checksumOf(station, row);
    const state = new StationState(row && (isDamaged ? readableState(row.data) : decodeState(row.data)));
    // With a damaged one that is too high, the repaired state would not be read.
    const revision = Math.min(row?.revision ?? 0, isDamaged ? oldest - 1 : Infinity);
    return {
      state,
      revision,
      seen: revision,
      chunksEnd: state.lastSeen,
      oldest,
      rows: row?.rows ?? 0,
      first: row?.first ?? Infinity,
      unjudgedFrom: row?.unjudgedFrom ?? Infinity,
      unjudgedTo: row?.unjudgedTo ?? -Infinity,
      ...(isDamaged && { isDamaged }),
    };
  }
}

/** The data of a state; undefined if they cannot be read. */
function readableState(blob: Buffer): Float64Array | undefined {
  try {
    return decodeState(blob);
  } catch {
    return undefined;
  }
}

/** What a damaged state hides: everything. */
const ALL_LOST: Loss = { ...ALL_TIMES, runs: 'the state' };

/** What a damaged state hides of a station, or `loss`. */
export function lossOfState({ isDamaged = false }: CachedState, loss: Loss | undefined): Loss | undefined {
  return isDamaged ? ALL_LOST : loss;
}

/** Whether a run that the state does not include has been merged. @param oldest id of the oldest unmerged run */
function hasMissed({ seen }: CachedState, oldest: number): boolean {
  return oldest > seen + 1;
}

function addRun(cached: CachedState, station: number, run: Run): void {
  const place = mayHave(run, station) ? run.place(station) : undefined;
  if (place === undefined) return;
  const [from, to, inserted] = place;
  const { columns } = run;
  cached.state.advanceRows(columns, from, to);
  cached.revision = run.id;
  cached.rows += inserted;
  cached.first = Math.min(cached.first, columns.times[from] as number);
  noteUnchecked(cached, columns.times[from] as number, columns.times[to - 1] as number);
}

/** Notes that rows from `first` to `last` were written or changed. */
export function noteUnchecked(cached: CachedState, first: number, last: number): void {
  cached.unjudgedFrom = Math.min(cached.unjudgedFrom, first);
  cached.unjudgedTo = Math.max(cached.unjudgedTo, last);
}

/** Takes the range in which rows were written or changed: it is empty afterwards. @returns undefined if it was empty */
export function takeUnchecked(
  cached: CachedState,
): { readonly from: number; readonly to: number } | undefined {
  const { unjudgedFrom: from, unjudgedTo: last } = cached;
  cached.unjudgedFrom = Infinity;
  cached.unjudgedTo = -Infinity;
  return from > last ? undefined : { from, to: last + 1 };
}

/** What is known of a station whose state is damaged. */
const NOTHING = { state: new StationState(), rows: 0, first: Infinity };

/** Makes an inventory. @param damaged range of times with damaged rows */
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
