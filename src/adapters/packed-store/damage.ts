import { MILLISECONDS } from '#domain/time.js';
import { dateOf, type DamagedSpan } from '#domain/weather/damaged-data.js';
import type { RowBlobKind } from '#adapters/formats/packed/blob.js';
import { chunkKey, dayOfKey } from '#adapters/formats/packed/chunk-key.js';
import type { ChunkRow } from '#adapters/formats/packed/decoded-series.js';
import { stationOf } from './days/daily-series.js';
import { DamagedRunError, Run } from '#adapters/formats/packed/run-codec.js';

/**
 * The kind of stored data:
 *
 * - `run`: the rows of one commit
 * - `block`: rows of several commits that were merged for a block (a group of 64 stations)
 * - `chunk`: the rows of a station for 1, 8 or 64 days
 * - `list`: the list of the chunks of a station
 */
export type StoredKind = RowBlobKind | 'block' | 'list';

/** Damaged observations. Their times are in `[first, last]`. */
export interface Damage extends DamagedSpan {
  readonly kind: StoredKind;
  /**
   * Identifies the damaged data. The meaning depends on `kind`:
   *
   * - `run`: the id of the run (the rows of one commit)
   * - `block`: the merged rows of a block (a group of 64 stations) are stored in several pieces, and the number is the id of the
   *   damaged piece. Only if a piece is missing, or if its columns in the database have changed, the number is -1 minus the
   *   number of the block, for example -4 for block 3
   * - `chunk`: the key of the chunk, which contains the number of its station and its first day
   * - `list`: the number of the station
   */
  readonly key: number;
  /** Numbers of the stations that may have damaged rows; null if unknown, so that every station is possible. */
  readonly stations: readonly number[] | null;
  /**
   * Number of damaged rows. The number is stored in a separate column of the table, so it is known although the rows cannot be
   * read.
   */
  readonly rows: number;
  readonly reason: string;
  /** Whether the data are missing although they should exist. Otherwise the data exist but cannot be read. */
  readonly isMissing?: boolean;
}

/** Damaged observations that a read has found. */
export interface FoundDamage {
  readonly damage: Damage;
  /** Number of the requested station. */
  readonly station: number;
  /** Id of the requested station; empty if the station no longer exists. */
  readonly id: string;
  /** Start of the requested range of times, in milliseconds since 1970. */
  readonly from: number;
}

/** Thrown when a read finds damaged observations. */
export class DamagedDataError extends Error {
  override readonly name = 'DamagedDataError';

  constructor(found: Omit<FoundDamage, 'id'>) {
    // The details are the cause, because an error that is sent to another thread keeps its cause but not its other fields.
    super(`observations are damaged: ${found.damage.reason}`, { cause: found });
  }
}

/** The damage in an error or in one of its causes; undefined for other errors. */
export function damageFoundIn(error: unknown): FoundDamage | undefined {
  for (let one = error; typeof one === 'object' && one !== null; one = (one as { cause?: unknown }).cause) {
    if ('damage' in one && 'station' in one) return one as FoundDamage;
  }
  return undefined;
}

/** Whether rows of a station in `[from, to)` may be damaged. */
export function mayAffect(
  { stations, first, last }: Damage,
  station: number,
  from: number,
  to: number,
): boolean {
  return first < to && last >= from && (stations === null || stations.includes(station));
}

/**
 * A range of times in which stored rows of a station may be missing, because they may be in damaged runs. A run has the rows of
 * one commit.
 */
export interface Loss extends DamagedSpan {
  /** Ids of the damaged runs, joined to one text that identifies this set of runs. Example: `7,9`. */
  readonly runs: string;
}

/**
 * Returns the losses of stations, by number of the station. A station without a loss is missing in the result. A loss is the
 * range of times in which the newest values of a station may be missing: reports or daily values.
 *
 * Only damage of the kind `run` causes a loss. The newest values of a station are computed from two parts: its stored state, and
 * the rows of the runs that were written after this state. If such a run is damaged, its rows are missing in the result.
 *
 * Damage of the kinds `chunk` and `block` causes no loss, because the stored state already includes their rows.
 */
export function lossesOf(damage: readonly Damage[], stations: readonly number[]): ReadonlyMap<number, Loss> {
  const losses = new Map<number, Loss>();
  const runs = damage.filter(({ kind }) => kind === 'run');
  if (runs.length === 0) return losses;
  const concerned = runs.map((run) => run.stations && new Set(run.stations.map(stationOf)));
  for (const station of stations) {
    const own = runs.filter((_run, index) => concerned[index]?.has(station) ?? true);
    if (own.length === 0) continue;
    losses.set(station, {
      first: Math.min(...own.map(({ first }) => first)),
      last: Math.max(...own.map(({ last }) => last)),
      runs: runsOf(own),
    });
  }
  return losses;
}

/**
 * Returns the text of `Newest.revision` of a station, for example `12 without 7,9`. The text must change when data become
 * damaged, and when they become readable again. Therefore it also contains the ids of the damaged runs, which have the rows of
 * single commits.
 */
export function revisionText(revision: number, loss: Loss | undefined): string {
  return loss === undefined ? String(revision) : `${revision} without ${loss.runs}`;
}

/** Joins the ids of the damaged runs to one text, for example `7,9`. A run has the rows of one commit. */
export function runsOf(damage: readonly Damage[]): string {
  const ids = damage.flatMap(({ kind, key }) => (kind === 'run' ? [key] : []));
  return ids.sort((a, b) => a - b).join();
}

/** A row of the database table of runs. A run has the rows of one commit. */
export interface DamagedRunRow {
  readonly id: number;
  readonly rows: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly data: Buffer;
}

/** All valid times. They are used as the times of damaged rows if their times are unknown. */
export const ALL_TIMES = { first: -8.64e15, last: 8.64e15 } as const;

/**
 * Opens a run, which has the rows of one commit. If the run cannot be read, returns a description of the damage instead.
 *
 * @param block number of the block (group of stations whose rows are stored together). It is part of the key of the run
 */
export function openRun(block: number, { id, rows, first, last, data }: DamagedRunRow): Run | Damage {
  try {
    return new Run(id, [block, id], data);
  } catch (error) {
    if (!(error instanceof DamagedRunError)) throw error;
    return {
      kind: 'run',
      key: id,
      stations: error.stations ?? null,
      first: first ?? ALL_TIMES.first,
      last: last ?? ALL_TIMES.last,
      rows,
      reason: error.message,
    };
  }
}

export function damagedChunk(
  station: number,
  { key, rows, days }: Omit<ChunkRow, 'data'>,
  { message: reason }: Error,
): Damage {
  const first = dayOfKey(key) * MILLISECONDS.day;
  const last = first + days * MILLISECONDS.day - 1;
  return { kind: 'chunk', key, stations: [station], first, last, rows, reason };
}

/**
 * The damage of a chunk that does not exist, although it is in the list of the chunks of its station. A chunk has the rows of 1,
 * 8 or 64 days.
 */
export function missingChunk(
  station: number,
  place: { readonly day: number; readonly days: number },
): Damage {
  const key = chunkKey(station, place.day);
  return { ...damagedChunk(station, { key, rows: 0, days: place.days }, MISSING), isMissing: true };
}

/** The damage of a missing run, which had the rows of one commit. The stations and times of these rows are unknown. */
export function missingRun(key: number): Damage {
  const { message: reason } = MISSING;
  return { kind: 'run', key, stations: null, ...ALL_TIMES, rows: 0, reason, isMissing: true };
}

const MISSING = new Error('the data are missing');

/** A sentence about damaged observations; undefined if there are none. */
export function describeDamage(damage: readonly Damage[]): string | undefined {
  const [first] = damage;
  if (first === undefined) return undefined;
  const rows = damage.reduce((sum, { rows: count }) => sum + count, 0);
  return `${rows} rows of observations are damaged, the first ${placeOf(first)}`;
}

function placeOf({ stations, first, last }: Damage): string {
  const days =
    dateOf(first) === dateOf(last) ? `on ${dateOf(first)}` : `from ${dateOf(first)} to ${dateOf(last)}`;
  if (stations === null) return `of unknown stations ${days}`;
  const numbers = [...new Set(stations.map(stationOf))];
  const more = numbers.length > 1 ? ` and ${numbers.length - 1} others` : '';
  return `of station number ${numbers[0]}${more} ${days}`;
}
