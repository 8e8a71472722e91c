import type { Database } from 'better-sqlite3';
import type { Span } from '../../../domain/weather/damaged-data.js';
import type { RowBlobKind } from '../../formats/packed/blob.js';

/** Where a blob is stored. `block` is a run of a block. */
export type StoredKind = RowBlobKind | 'block';

/** Damaged observations. Their times are in `[first, last]`. */
export interface Damage extends Span {
  readonly kind: StoredKind;
  /** Key of the chunk, or id of the run or of the run of a block. */
  readonly key: number;
  /** Numbers of the stations to which the rows may belong; null where that is unknown and every station is possible. */
  readonly stations: readonly number[] | null;
  /** Number of rows, from the column beside the blob. */
  readonly rows: number;
  readonly reason: string;
}

/** Damaged observations that a read has found. */
export interface FoundDamage {
  readonly damage: Damage;
  /** Number of the requested station. */
  readonly station: number;
  /** Its id; empty if the station no longer exists. */
  readonly id: string;
  /** Start of the requested times. */
  readonly from: number;
}

/** Thrown when a read finds damaged observations. */
export class DamagedDataError extends Error {
  override readonly name = 'DamagedDataError';

  constructor(found: Omit<FoundDamage, 'id'>) {
    // When an error is sent to another thread, its cause is copied, but its other fields are not.
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
export function touches(
  { stations, first, last }: Damage,
  station: number,
  from: number,
  to: number,
): boolean {
  return first < to && last >= from && (stations === null || stations.includes(station));
}

/** The part of a station's state that is unknown because of damaged runs that may hold rows of it. */
export interface Loss extends Span {
  /** Ids of the runs as one text, which identifies this set of runs. */
  readonly runs: string;
}

/**
 * The losses of those of `stations` that have any. A damaged chunk or run of a block causes no loss in a state, because
 * the state is stored separately.
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

/** Joins the ids of damaged runs to one text. */
export function runsOf(damage: readonly Damage[]): string {
  const ids = damage.flatMap(({ kind, key }) => (kind === 'run' ? [key] : []));
  return ids.sort((a, b) => a - b).join();
}

interface DamagedRow {
  readonly kind: StoredKind;
  readonly key: number;
  readonly stations: string | null;
  readonly first: number;
  readonly last: number;
  readonly rows: number;
  readonly reason: string;
}

/** The table `damaged` with the blobs that were found damaged and put aside. */
export function damagedReads(database: Database) {
  const select = database.prepare<[], DamagedRow>(
    'SELECT kind, key, stations, first, last, rows, reason FROM damaged ORDER BY id',
  );
  return {
    damage: (): Damage[] =>
      select.all().map(({ stations, ...row }) => ({
        ...row,
        stations: stations === null ? null : (JSON.parse(stations) as number[]),
      })),
  };
}

/**
 * Puts damaged blobs aside, so that merging and reading continue without them. It must be called within a transaction.
 */
export class Quarantine {
  readonly #insert;
  readonly #moves;

  constructor(database: Database) {
    this.#insert = database.prepare(
      `INSERT INTO damaged (kind, key, stations, first, last, rows, reason, found_at, data)
       VALUES (@kind, @key, @stations, @first, @last, @rows, @reason, @foundAt, @data)`,
    );
    const moves = (table: string, key: string) => ({
      data: database.prepare<[number], Buffer>(`SELECT data FROM ${table} WHERE ${key} = ?`).pluck(),
      remove: database.prepare(`DELETE FROM ${table} WHERE ${key} = ?`),
    });
    this.#moves = {
      chunk: moves('chunk', 'key'),
      run: moves('run', 'id'),
      block: moves('block_run', 'id'),
    };
  }

  /** Moves the blob out of its table. Does nothing if that has been done already. */
  add(damage: Damage): void {
    const { kind, key, stations } = damage;
    const data = this.#moves[kind].data.get(key);
    if (data === undefined) return;
    this.#insert.run({
      ...damage,
      stations: stations === null ? null : JSON.stringify(stations),
      foundAt: Date.now(),
      data,
    });
    this.#moves[kind].remove.run(key);
  }
}
