import { MILLISECONDS } from '#domain/time.js';
import { dateOf, type DamagedSpan } from '#domain/weather/damaged-data.js';
import type { RowBlobKind } from '#adapters/formats/packed/blob.js';
import { chunkKey, dayOfKey } from '#adapters/formats/packed/chunk-key.js';
import type { ChunkRow } from '#adapters/formats/packed/decoded-series.js';
import { DamagedRunError, Run } from '#adapters/formats/packed/run-codec.js';

/** The kind of stored data. `block` is a run of a block, `list` is the chunk list of a station. */
export type StoredKind = RowBlobKind | 'block' | 'list';

/** Damaged observations. Their times are in `[first, last]`. */
export interface Damage extends DamagedSpan {
  readonly kind: StoredKind;
  /** Key of the chunk, id of the run, or id of the run of a block. */
  readonly key: number;
  /** Numbers of the stations that may have damaged rows; null if unknown, so that every station is possible. */
  readonly stations: readonly number[] | null;
  /** Number of rows, according to the column beside the blob. */
  readonly rows: number;
  readonly reason: string;
  /** Whether the blob is missing although it should exist. */
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

/** The range of times in which the rows of a station are unknown, because damaged runs may contain rows of the station. */
export interface Loss extends DamagedSpan {
  /** Ids of the damaged runs, joined to one text that identifies this set of runs. */
  readonly runs: string;
}

/**
 * The losses of stations; stations without a loss are missing. Only damaged runs cause a loss. A damaged chunk or a damaged run
 * of a block does not cause a loss, because the states of stations are stored separately.
 */
export function lossesOf(damage: readonly Damage[], stations: readonly number[]): ReadonlyMap<number, Loss> {
  const losses = new Map<number, Loss>();
  const runs = damage.filter(({ kind }) => kind === 'run');
  if (runs.length === 0) return losses;
  const concerned = runs.map((run) => run.stations && new Set(run.stations));
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
 * The text of `Newest.revision` of a station. With damaged runs, the text contains their ids, so that it differs from the text of
 * the intact state and of later states.
 */
export function revisionText(revision: number, loss: Loss | undefined): string {
  return loss === undefined ? String(revision) : `${revision} without ${loss.runs}`;
}

/** Joins the ids of damaged runs to one text. */
export function runsOf(damage: readonly Damage[]): string {
  const ids = damage.flatMap(({ kind, key }) => (kind === 'run' ? [key] : []));
  return ids.sort((a, b) => a - b).join();
}

/** A row of the table of runs. */
export interface DamagedRunRow {
  readonly id: number;
  readonly rows: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly data: Buffer;
}

/** All valid times: the range of a run whose range is unknown. */
export const ALL_TIMES = { first: -8.64e15, last: 8.64e15 } as const;

/** Opens a run of a commit, or describes its damage. @param block number of the block, which is part of the key of the run */
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

/** The damage of a chunk that is in the chunk list of its station, but does not exist. */
export function missingChunk(
  station: number,
  place: { readonly day: number; readonly days: number },
): Damage {
  const key = chunkKey(station, place.day);
  return { ...damagedChunk(station, { key, rows: 0, days: place.days }, MISSING), isMissing: true };
}

/** The damage of a missing run of a commit. Its stations and times are unknown. */
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
  const more = stations.length > 1 ? ` and ${stations.length - 1} others` : '';
  return `of station number ${stations[0]}${more} ${days}`;
}
