import type { Database } from 'better-sqlite3';
import type { Inventory } from '../../../application/ports/observation-store.js';
import type { Span } from '../../../domain/weather/damaged-data.js';
import { StationState } from '../../../domain/weather/station-state.js';
import type { Run } from '../../formats/packed/run-codec.js';

/** The runs that are not merged yet, at one moment. */
export interface Runs {
  /** Oldest first. */
  readonly all: Run[];
  /** Id of the newest run that there has ever been; 0 before the first. */
  last: number;
  /** Ids of the runs that are damaged, as one text. */
  readonly lost: string;
}

/** The state and the totals of a station, known without reading its rows. */
export interface KnownState {
  readonly state: StationState;
  /** The last run that has changed something of the station. */
  revision: number;
  /** The last run that existed when this was brought up to date, whether or not it has rows of the station. */
  seen: number;
  /** No row in a chunk is newer than this time, but for rows that are in a run too. */
  chunksEnd: number;
  /** The oldest run that was not merged when `chunksEnd` was set. */
  oldest: number;
  /** Number of rows. */
  rows: number;
  /** Time of the oldest row; Infinity when there is none. */
  first: number;
}

interface NewestRow {
  readonly revision: number;
  readonly rows: number;
  readonly first: number | null;
  readonly data: Buffer;
}

/**
 * The states of stations, remembered. The table `newest` has each as of the last merge; the runs since then are added to it.
 * A remembered state may be advanced only while all runs behind it still exist: another process, or another station's
 * question, may have seen them merged and deleted. Otherwise it is read anew. So are all of them when other runs are damaged than
 * before: what a run told is forgotten with it, so that every thread and process answers the same.
 */
export class StationStates {
  readonly #known = new Map<number, KnownState>();
  readonly #select;
  readonly #put;
  #lost = '';

  constructor(database: Database) {
    this.#select = database.prepare<[number], NewestRow>(
      'SELECT revision, rows, first, data FROM newest WHERE station = ?',
    );
    this.#put = database.prepare(
      `INSERT INTO newest (station, revision, rows, first, data) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET revision = excluded.revision, rows = excluded.rows, first = excluded.first,
         data = excluded.data`,
    );
  }

  /** The state as of the newest of the runs. */
  of(station: number, { all, last, lost }: Runs): KnownState {
    if (lost !== this.#lost) {
      this.#known.clear();
      this.#lost = lost;
    }
    let known = this.#known.get(station);
    const oldest = all[0]?.id ?? last + 1;
    if (known === undefined || oldest > known.seen + 1) {
      known = this.#read(station, oldest);
      this.#known.set(station, known);
    }
    if (oldest > known.oldest) {
      // Runs have been merged, but this state includes all of them.
      known.chunksEnd = known.state.lastSeen;
      known.oldest = oldest;
    }
    if (known.seen >= last) return known;
    let at = all.length;
    while (at > 0 && (all[at - 1] as Run).id > known.seen) at -= 1;
    for (; at < all.length; at += 1) takeIn(known, station, all[at] as Run);
    known.seen = last;
    return known;
  }

  /** Writes a state to the table. Every run that it has taken in must be merged, or be there still. */
  save(station: number, { state, revision, rows, first }: KnownState): void {
    const time = first === Infinity ? null : first;
    this.#put.run(station, revision, rows, time, Buffer.from(state.data.buffer));
  }

  /** Forgets the states that a rolled-back transaction may have changed. */
  forget(): void {
    this.#known.clear();
  }

  #read(station: number, oldest: number): KnownState {
    const row = this.#select.get(station);
    const state = new StationState(row && numbersOf(row.data));
    const revision = row?.revision ?? 0;
    return {
      state,
      revision,
      seen: revision,
      chunksEnd: state.lastSeen,
      oldest,
      rows: row?.rows ?? 0,
      first: row?.first ?? Infinity,
    };
  }
}

/**
 * Makes every thread and process read the states of stations anew, by using up the id of a run. For changes of what is stored
 * that no run tells of. Within the caller's transaction; nothing may be in runs.
 *
 * @returns the id
 */
export function expireStates(database: Database): number {
  const insert = database.prepare("INSERT INTO run (rows, data) VALUES (0, x'')");
  const id = Number(insert.run().lastInsertRowid);
  database.prepare('DELETE FROM run WHERE id = ?').run(id);
  return id;
}

function takeIn(known: KnownState, station: number, run: Run): void {
  const place = run.place(station);
  if (place === undefined) return;
  const [from, to, inserted] = place;
  const { columns } = run;
  known.state.advanceRows(columns, from, to);
  known.revision = run.id;
  known.rows += inserted;
  known.first = Math.min(known.first, columns.times[from] as number);
}

/** @param damaged times of the rows that are lost */
export function inventoryOf({ state, rows, first }: KnownState, damaged?: Span): Inventory {
  const totals = {
    first: first === Infinity ? null : first,
    last: state.lastSeen === -Infinity ? null : state.lastSeen,
    count: rows,
    variables: state.variables(),
  };
  return damaged === undefined
    ? totals
    : { ...totals, damaged: { first: damaged.first, last: damaged.last } };
}

/** A copy: the blob need not be aligned. */
function numbersOf(blob: Buffer): Float64Array {
  return new Float64Array(blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength));
}
