import type { Database } from 'better-sqlite3';
import type { Damage } from '../../packed-store/damage.js';

interface DamagedRow {
  readonly kind: Damage['kind'];
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
