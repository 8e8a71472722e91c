import type { Database } from 'better-sqlite3';
import type { NewestRow, NewestRows } from '../../packed-store/station-states.js';

/** The statements of the table `newest`. */
export class NewestTable implements NewestRows {
  readonly #select;
  readonly #put;

  constructor(database: Database) {
    this.#select = database.prepare<[number], NewestRow>(
      `SELECT revision, rows, first, data, unjudged_from AS unjudgedFrom, unjudged_to AS unjudgedTo FROM newest
       WHERE station = ?`,
    );
    this.#put = database.prepare(
      `INSERT INTO newest (station, revision, rows, first, data, unjudged_from, unjudged_to)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET revision = excluded.revision, rows = excluded.rows, first = excluded.first,
         data = excluded.data, unjudged_from = excluded.unjudged_from, unjudged_to = excluded.unjudged_to`,
    );
  }

  find(station: number): NewestRow | undefined {
    return this.#select.get(station);
  }

  put(station: number, row: NewestRow): void {
    const { revision, rows, first, data, unjudgedFrom, unjudgedTo } = row;
    this.#put.run(station, revision, rows, first, data, unjudgedFrom, unjudgedTo);
  }
}

/**
 * Makes all threads and processes read the states of stations again, after a change of stored data without a run. It
 * uses up the id of a run, so that cached states seem to have missed a merged run. It must be called within a
 * transaction in which no runs exist.
 *
 * @returns the id
 */
export function expireStates(database: Database): number {
  const insert = database.prepare("INSERT INTO run (rows, data) VALUES (0, x'')");
  const id = Number(insert.run().lastInsertRowid);
  database.prepare('DELETE FROM run WHERE id = ?').run(id);
  return id;
}
