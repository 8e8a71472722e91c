import { DESCRIBED, SnapshotState, type Newest } from '#domain/weather/station-state.js';
import { type Loss, lossesOf, revisionText } from '#adapters/packed-store/damage.js';
import { describedState, type JoinedState, revisionOf } from '#adapters/packed-store/days/joined-states.js';
import type { NewestRow, NewestRows } from '#adapters/packed-store/station-states.js';
import type { Query } from '../database/query.js';
import { blockOf, blocksOf, type OpenBlock } from './blocks.js';
import { tuples } from './tuples.js';

export interface StoredNewest extends NewestRow {
  readonly station: number;
}

/**
 * Reads the stored states of stations (newest values and totals). The states are as the last merge has stored them: rows that are
 * still in runs (packed rows of one commit each) are not included. A station without a stored state is left out of the result.
 */
export async function readNewest(query: Query, stations: readonly number[]): Promise<StoredNewest[]> {
  if (stations.length === 0) return [];
  const { rows } = await query<StoredNewest>(
    `SELECT station, revision, rows, first, data, unjudged_from AS "uncheckedFrom", unjudged_to AS "uncheckedTo",
       checksum
     FROM weatherd.newest
     WHERE block = ANY($1) AND station = ANY($2)`,
    [blocksOf(stations), [...stations]],
  );
  return rows;
}

/**
 * Rows of the table `newest` that one transaction has read or will write. A row contains the state of a station: its newest
 * values and totals.
 */
export class FetchedNewest implements NewestRows {
  readonly #fetched = new Map<number, NewestRow | undefined>();
  readonly #changed = new Map<number, NewestRow>();

  /**
   * Sets the rows that were read for these stations, and forgets the rows that earlier calls have set. For a station without a
   * row in `rows`, `find` returns undefined.
   */
  set(stations: readonly number[], rows: readonly StoredNewest[]): void {
    this.#fetched.clear();
    for (const station of stations) this.#fetched.set(station, undefined);
    for (const { station, ...row } of rows) this.#fetched.set(station, row);
  }

  find(station: number): NewestRow | undefined {
    if (!this.#fetched.has(station)) throw new Error(`the state of station ${station} was not read`);
    return this.#fetched.get(station);
  }

  put(station: number, row: NewestRow): void {
    this.#changed.set(station, row);
  }

  /** Writes the changed rows. */
  async write(query: Query): Promise<void> {
    const rows = [...this.#changed].map(([station, row]) => {
      const { revision, rows: count, first, data, uncheckedFrom, uncheckedTo, checksum } = row;
      // `data` contains the newest values of the station as bytes. The first 8 bytes are the time of its newest row.
      const seen = data.readDoubleLE(0);
      const last = seen === -Infinity ? null : seen;
      const unchecked = [uncheckedFrom, uncheckedTo];
      return [blockOf(station), station, revision, count, first, last, data, ...unchecked, checksum];
    });
    this.#changed.clear();
    for (const [values, parameters] of tuples(rows))
      await query(
        `INSERT INTO weatherd.newest
           (block, station, revision, rows, first, last, data, unjudged_from, unjudged_to, checksum) VALUES ${values}
         ON CONFLICT (block, station) DO UPDATE SET revision = excluded.revision, rows = excluded.rows,
           first = excluded.first, last = excluded.last, data = excluded.data,
           unjudged_from = excluded.unjudged_from, unjudged_to = excluded.unjudged_to, checksum = excluded.checksum`,
        parameters,
      );
  }
}

/** The stations of a block (group of 64 stations) that have a row in the table `newest`, which contains their newest values. */
export async function storedStations(query: Query, block: number): Promise<number[]> {
  const { rows } = await query<{ station: number }>('SELECT station FROM weatherd.newest WHERE block = $1', [
    block,
  ]);
  return rows.map(({ station }) => station);
}

/** The range of times in which rows of a station cannot be read because of damage; undefined if there is none. */
export function lossOf(station: number, open: OpenBlock | undefined): Loss | undefined {
  const damage = open?.damage ?? [];
  return damage.length === 0 ? undefined : lossesOf(damage, [station]).get(station);
}

/** Copies the newest values from the states of a station. Later changes of the states do not change the copy. */
export function newestOf(station: number, states: JoinedState, loss: Loss | undefined): Newest {
  const data = describedState(states).slice(0, DESCRIBED);
  return new SnapshotState(data, station, revisionText(revisionOf(states), loss), loss);
}
