import type { Database } from 'better-sqlite3';
import { StationState } from '#domain/weather/station-state.js';
import { encodeState } from '#adapters/formats/packed/state-codec.js';
import type { NewestRow, NewestRows } from '#adapters/packed-store/station-states.js';

/**
 * The result of `find` for a station whose row of the table `newest` was lost. The checksum is wrong on purpose: a read checks
 * it, and so notices the loss.
 */
const MISSING_ROW: NewestRow = {
  revision: 0,
  rows: 0,
  first: null,
  data: encodeState(new StationState().data),
  uncheckedFrom: null,
  uncheckedTo: null,
  checksum: -1,
};

/**
 * The statements on the table `newest`. It has a row for each station, with the state of the station: its newest values, the
 * number of its rows, and other totals.
 */
export class NewestTable implements NewestRows {
  readonly #select;
  readonly #put;
  readonly #isListed;

  constructor(database: Database) {
    this.#select = database.prepare<[number], NewestRow>(
      `SELECT revision, rows, first, data, unjudged_from AS uncheckedFrom, unjudged_to AS uncheckedTo,
         coalesce(checksum, -1) AS checksum FROM newest
       WHERE station = ?`,
    );
    this.#isListed = database.prepare<[number]>('SELECT 1 FROM chunk_list WHERE station = ?');
    this.#put = database.prepare(
      `INSERT INTO newest (station, revision, rows, first, data, unjudged_from, unjudged_to, checksum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET revision = excluded.revision, rows = excluded.rows, first = excluded.first,
         data = excluded.data, unjudged_from = excluded.unjudged_from, unjudged_to = excluded.unjudged_to,
         checksum = excluded.checksum`,
    );
  }

  find(station: number): NewestRow | undefined {
    const row = this.#select.get(station);
    return row === undefined && this.#isListed.get(station) !== undefined ? MISSING_ROW : row;
  }

  put(station: number, row: NewestRow): void {
    const { revision, rows, first, data, uncheckedFrom, uncheckedTo, checksum } = row;
    this.#put.run(station, revision, rows, first, data, uncheckedFrom, uncheckedTo, checksum);
  }
}

/**
 * Makes all threads and processes read the states of stations (such as their newest values) again. Call it after stored rows were
 * changed directly, that is, without writing a run. A run is a blob with new rows of one commit.
 *
 * How it works:
 *
 * 1. It inserts an empty run, which gets the next id, and deletes this run at once.
 * 2. A deleted run looks like a run whose rows were moved into other blobs.
 * 3. No cached state includes this run. So each cached state counts as outdated, and is read again.
 *
 * Call this function within a transaction in which no runs exist.
 *
 * @returns the id of the deleted run
 */
export function expireStates(database: Database): number {
  // The new id must be higher than every earlier id of a run. SQLite keeps the last id in `sqlite_sequence`, but this table may
  // be damaged. The new id is therefore also higher than the id in `run_merged`.
  const insert = database.prepare(
    `INSERT INTO run (id, rows, data) SELECT 1 + max(
       coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'run'), 0), (SELECT id FROM run_merged)), 0, x''`,
  );
  const id = Number(insert.run().lastInsertRowid);
  database.prepare('DELETE FROM run WHERE id = ?').run(id);
  return id;
}
