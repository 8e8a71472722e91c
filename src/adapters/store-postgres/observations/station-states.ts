import { NO_RULES, rulesOf, type StationRules } from '../../../domain/weather/quality-control.js';
import { StationState } from '../../../domain/weather/station-state.js';
import type { Station } from '../../../domain/weather/station.js';
import type { Query } from '../database/query.js';
import { STATION_COLUMNS } from '../stations/station-columns.js';

/** The state and the totals of a station, which are written in the same transactions as its rows. */
export interface KeptState {
  /** The newest values, and with them the time of the last row and which variables there are. */
  readonly state: StationState;
  /** Time of the first row, or null where there is none. */
  first: number | null;
  /** Rows. */
  count: number;
}

/** The state of a station that exists, locked for writing. */
export interface LockedState extends KeptState {
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
 * The states of those of `stations` that may be written, locked until the transaction ends. Rows that are missing are made
 * before any that exists is locked, and both are done in the order of the numbers:
 *
 * - whoever makes rows holds only rows that it has made, and waits only for a number above all of them;
 * - whoever locks rows has made all that it needs, and waits only for a number above all that it has locked. The one who holds
 *   that row locks too: a row that is being made can be seen by nobody else, so nobody tries to lock it.
 *
 * So two writers never wait for each other.
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
  const states = await lockKept(query, [...rules.keys()]);
  return new Map(
    [...states].map(([station, kept]) => [station, { ...kept, rules: rules.get(station) ?? NO_RULES }]),
  );
}

/**
 * The one place that tells which numbers may be written, and by which rules their values are judged. Whoever deletes a station
 * waits for the end of this transaction; if it was quicker, the station is not among the result and none of its rows is
 * written.
 *
 * @returns `missing`: those that have no state yet, unless somebody has made one meanwhile
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

async function lockKept(query: Query, stations: readonly number[]): Promise<Map<number, KeptState>> {
  const { rows } = await query<StateRow>(
    `SELECT station, state, first, count FROM weatherd.newest WHERE station = ANY($1) ORDER BY station
     FOR NO KEY UPDATE`,
    [[...stations]],
  );
  return new Map(rows.map((row) => [row.station, toKept(row)]));
}

/** @returns the new revision of each */
export async function putStates(
  query: Query,
  states: ReadonlyMap<number, KeptState>,
): Promise<ReadonlyMap<number, number>> {
  if (states.size === 0) return new Map();
  const kept = [...states.values()];
  const { rows } = await query<{ station: number; revision: number }>(
    `UPDATE weatherd.newest
     SET revision = newest.revision + 1, state = given.state, first = given.first, count = given.count
     FROM unnest($1::integer[], $2::bytea[], $3::bigint[], $4::bigint[]) AS given (station, state, first, count)
     WHERE newest.station = given.station
     RETURNING newest.station, newest.revision`,
    [
      [...states.keys()],
      kept.map(({ state }) => Buffer.from(state.data.buffer)),
      kept.map(({ first }) => first),
      kept.map(({ count }) => count),
    ],
  );
  return new Map(rows.map(({ station, revision }) => [station, revision]));
}

export interface ReadState extends KeptState {
  readonly revision: number;
}

/** Reads the states of the stations that have rows, without a lock. */
export async function readStates(query: Query, stations: readonly number[]): Promise<Map<number, ReadState>> {
  const { rows } = await query<StateRow & { revision: number }>(
    'SELECT station, revision, state, first, count FROM weatherd.newest WHERE station = ANY($1)',
    [[...stations]],
  );
  return new Map(rows.map((row) => [row.station, { ...toKept(row), revision: row.revision }]));
}

/**
 * The station with this id, and its state unless it has no rows.
 *
 * @returns undefined for an id that no station has
 */
export async function describeStation(
  query: Query,
  id: string,
): Promise<{ readonly station: Station; readonly kept: ReadState | undefined } | undefined> {
  const { rows } = await query<DescriptionRow>(
    `SELECT ${STATION_COLUMNS}, revision, state, first, count
     FROM weatherd.station LEFT JOIN weatherd.newest ON newest.station = station.number WHERE id = $1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { revision, state, first, count, ...station } = row;
  return { station, kept: state === null ? undefined : { ...toKept({ state, first, count }), revision } };
}

function toKept({ state, first, count }: Omit<StateRow, 'station'>): KeptState {
  if (state.length === 0) return { state: new StationState(), first, count };
  const numbers = new Float64Array(state.buffer.slice(state.byteOffset, state.byteOffset + state.length));
  return { state: new StationState(numbers), first, count };
}
