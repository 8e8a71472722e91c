import type { Database } from 'better-sqlite3';
import { dayOfKey, stationOfKey } from '#adapters/formats/packed/chunk-key.js';
import { BlockLedger } from '../ledgers/block-ledger.js';
import { stationBlockOf } from '../levels/block-run.js';
import { ChunkLists } from '../ledgers/chunk-lists.js';
import type { Damage } from '#adapters/packed-store/damage.js';

interface DamagedRow {
  readonly kind: Damage['kind'];
  readonly key: number;
  readonly stations: string | null;
  readonly first: number;
  readonly last: number;
  readonly rows: number;
  readonly reason: string;
}

/** Reads the table `damaged`, which contains damaged blobs (packed rows) that were moved out of the other tables. */
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
 * Moves damaged blobs (packed rows) into the table `damaged`, so that merging and reading continue without them. Call it within a
 * transaction.
 */
export class Quarantine {
  readonly #insert;
  readonly #moves;
  readonly #isAside;
  readonly #lists: ChunkLists;
  readonly #ledger: BlockLedger;

  /**
   * @param lists for each station, the list of the chunks (packed rows of some days) that must exist. If an `ObservationReader`
   *   is used in the same thread, pass its `lists`, so that both use the same cached lists
   */
  constructor(database: Database, lists = new ChunkLists(database)) {
    this.#lists = lists;
    this.#ledger = new BlockLedger(database);
    this.#isAside = database.prepare<[string, number]>('SELECT 1 FROM damaged WHERE kind = ? AND key = ?');
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

  /** Moves a damaged blob (packed rows) from its table into the table `damaged`. Does nothing if the blob was moved before. */
  add(damage: Damage): void {
    const { kind, key, stations, first, last, rows, reason, isMissing = false } = damage;
    if (kind === 'list') return;
    const data = isMissing ? this.#emptyBlob(kind, key) : this.#moves[kind].data.get(key);
    if (data === undefined) return;
    this.#insert.run({
      kind,
      key,
      first,
      last,
      rows,
      reason,
      data,
      stations: stations === null ? null : JSON.stringify(stations),
      foundAt: Date.now(),
    });
    this.#moves[kind].remove.run(key);
    if (kind === 'chunk') this.#lists.remove(stationOfKey(key), dayOfKey(key));
    if (kind === 'block')
      for (const block of new Set(stations?.map(stationBlockOf))) this.#ledger.seal(block);
  }

  /**
   * Returns the content that the table `damaged` gets for a missing blob (packed rows): empty bytes. A blob is missing if other
   * tables say that it must exist. Returns undefined if the table `damaged` already has a row for the blob.
   */
  #emptyBlob(kind: string, key: number): Buffer | undefined {
    return this.#isAside.get(kind, key) === undefined ? Buffer.alloc(0) : undefined;
  }
}
