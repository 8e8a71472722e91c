import { NO_RULES, rulesOf, type StationRules } from '../../../domain/weather/quality-control.js';
import { StationState } from '../../../domain/weather/station-state.js';
import type { Station } from '../../../domain/weather/station.js';
import type { Query } from '../database/query.js';
import { STATION_COLUMNS } from '../stations/station-columns.js';

/** The state and the totals of a station. They are written in the same transactions as its rows. */
export interface StoredState {
  /** The newest values. They include the time of the last row and the variables of the station. */
  readonly state: StationState;
  /** Time of the first row, or null where there is none. */
  first: number | null;
  /** Number of rows. */
  count: number;
}

/** The state of an existing station, locked for writing. */
export interface LockedState extends StoredState {
  readonly rules: StationRules;
}

interface StateRow {
  readonly station: number;
  readonly state: Buffer;
  readonly first: number | null;
  readonly count: number;
}

/** Without a state the other columns of the state are null too. */
interface DescriptionRow extends Station, Omit<StateRow, 'station' | 'state'> {
  readonly revision: number;
  readonly state: Buffer | null;
}

/**
 * Locks the states of the existing stations among `stations` until the transaction ends. The order of the locks
 * prevents deadlocks:
 *
 * 1. Missing states are inserted, in rising order of station number. The transaction then waits only for a number above
 *    all that it has inserted.
 * 2. Then the states are locked, in the same order. The transaction then waits only for a number above all that it has
 *    locked. It never waits for a transaction in step 1, because rows of an open insert are not visible.
 *
 * So no two transactions wait for each other.
 */
export async function lockStates(
  query: Query,
  stations: Iterable<number>,
): Promise<Map<number, LockedState>> {
  const { rules, missing } = await lockWritable(query, stations);
  if (missing.length > 0) {
    await query(
      `INSERT INTO weatherd.newest (station, revision, state, first, count)
       SELECT number, 0, ''::bytea, NULL, 0 FROM unnest($1::integer[]) AS number ORDER BY number
       ON CONFLICT (station) DO NOTHING`,
      [[...missing]],
    );
  }
  const states = await lockExisting(query, [...rules.keys()]);
  return new Map(
    [...states].map(([station, stored]) => [station, { ...stored, rules: rules.get(station) ?? NO_RULES }]),
  );
}

/**
 * Finds the stations that may be written, with the rules for judging their values, and locks them. A transaction that
 * deletes a station waits until this one ends. If it was first, the station is missing in the result and none of its
 * rows is written.
 *
 * @returns `missing`: stations without a state, unless another transaction has inserted it meanwhile
 */
async function lockWritable(
  query: Query,
  stations: Iterable<number>,
): Promise<{ readonly rules: Map<number, StationRules>; readonly missing: readonly number[] }> {
  type Row = Pick<Station, 'number' | 'limits' | 'reportingInterval'> & { readonly missing: boolean };
  const { rows } = await query<Row>(
    `SELECT number, limits, reporting_interval AS "reportingInterval",
       NOT EXISTS (SELECT FROM weatherd.newest WHERE newest.station = station.number) AS missing
     FROM weatherd.station WHERE number = ANY($1) ORDER BY number FOR KEY SHARE`,
    [[...stations]],
  );
  return {
    rules: new Map(rows.map((row) => [row.number, rulesOf(row)])),
    missing: rows.filter(({ missing }) => missing).map(({ number }) => number),
  };
}

async function lockExisting(query: Query, stations: readonly number[]): Promise<Map<number, StoredState>> {
  const { rows } = await query<StateRow>(
    `SELECT station, state, first, count FROM weatherd.newest WHERE station = ANY($1) ORDER BY station
     FOR NO KEY UPDATE`,
    [[...stations]],
  );
  return new Map(rows.map((row) => [row.station, toStoredState(row)]));
}

/** Writes states. @returns the new revision of each station */
export async function putStates(
  query: Query,
  states: ReadonlyMap<number, StoredState>,
): Promise<ReadonlyMap<number, number>> {
  if (states.size === 0) return new Map();
  const stored = [...states.values()];
  const { rows } = await query<{ station: number; revision: number }>(
    `UPDATE weatherd.newest
     SET revision = newest.revision + 1, state = given.state, first = given.first, count = given.count
     FROM unnest($1::integer[], $2::bytea[], $3::bigint[], $4::bigint[]) AS given (station, state, first, count)
     WHERE newest.station = given.station
     RETURNING newest.station, newest.revision`,
    [
      [...states.keys()],
      stored.map(({ state }) => Buffer.from(state.data.buffer)),
      stored.map(({ first }) => first),
      stored.map(({ count }) => count),
    ],
  );
  return new Map(rows.map(({ station, revision }) => [station, revision]));
}

export interface ReadState extends StoredState {
  readonly revision: number;
}

/** Reads the states of the stations that have rows, without a lock. */
export async function readStates(query: Query, stations: readonly number[]): Promise<Map<number, ReadState>> {
  const { rows } = await query<StateRow & { revision: number }>(
    'SELECT station, revision, state, first, count FROM weatherd.newest WHERE station = ANY($1)',
    [[...stations]],
  );
  return new Map(rows.map((row) => [row.station, { ...toStoredState(row), revision: row.revision }]));
}

/**
 * The station with this id, and its state unless it has no rows.
 *
 * @returns undefined for an id that no station has
 */
export async function describeStation(
  query: Query,
  id: string,
): Promise<{ readonly station: Station; readonly stored: ReadState | undefined } | undefined> {
  const { rows } = await query<DescriptionRow>(
    `SELECT ${STATION_COLUMNS}, revision, state, first, count
     FROM weatherd.station LEFT JOIN weatherd.newest ON newest.station = station.number WHERE id = $1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { revision, state, first, count, ...station } = row;
  return {
    station,
    stored: state === null ? undefined : { ...toStoredState({ state, first, count }), revision },
  };
}

function toStoredState({ state, first, count }: Omit<StateRow, 'station'>): StoredState {
  if (state.length === 0) return { state: new StationState(), first, count };
  const numbers = new Float64Array(state.buffer.slice(state.byteOffset, state.byteOffset + state.length));
  return { state: new StationState(numbers), first, count };
}
