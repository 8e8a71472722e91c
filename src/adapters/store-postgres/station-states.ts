import { NO_RULES, rulesOf, type StationRules } from '../../domain/quality-control.js';
import type { Station } from '../../domain/station.js';
import { StationState } from '../../domain/station-state.js';
import type { Query } from './postgres-database.js';

/** What is kept of a station beside its rows, in the transactions that write them. */
export interface KeptState {
  /** The newest values, and with them the time of the last row and which variables there are. */
  readonly state: StationState;
  /** Time of the first row, or null where there is none. */
  first: number | null;
  /** Rows. */
  count: number;
}

/** What is kept of a station that may be written. */
export interface LockedState extends KeptState {
  readonly rules: StationRules;
}

interface StateRow {
  readonly station: number;
  readonly state: Buffer;
  readonly first: number | null;
  readonly count: number;
}

/**
 * The states of those of `stations` that may be written, locked until the transaction ends. Locks are taken in the order of
 * the numbers, so that writers wait for each other and never in a circle.
 */
export async function lockStates(
  query: Query,
  stations: Iterable<number>,
): Promise<Map<number, LockedState>> {
  const rules = await lockWritable(
    query,
    [...stations].sort((a, b) => a - b),
  );
  const writable = [...rules.keys()];
  const states = await lockKept(query, writable);
  const missing = writable.filter((station) => !states.has(station));
  if (missing.length === 0) return withRules(states, rules);
  await query(
    `INSERT INTO weatherd.newest (station, revision, state, first, count)
     SELECT number, 0, ''::bytea, NULL, 0 FROM unnest($1::integer[]) AS number ORDER BY number
     ON CONFLICT (station) DO NOTHING`,
    [missing],
  );
  return withRules([...states, ...(await lockKept(query, missing))], rules);
}

function withRules(
  states: Iterable<[number, KeptState]>,
  rules: ReadonlyMap<number, StationRules>,
): Map<number, LockedState> {
  return new Map(
    [...states].map(([station, kept]) => [station, { ...kept, rules: rules.get(station) ?? NO_RULES }]),
  );
}

/**
 * The one place that tells which numbers may be written, and by which rules their values are judged. Whoever deletes a station waits for the end of this transaction; if
 * it was quicker, the station is not among the result and none of its rows is written.
 */
async function lockWritable(query: Query, stations: readonly number[]): Promise<Map<number, StationRules>> {
  const { rows } = await query<Pick<Station, 'number' | 'limits' | 'reportingInterval'>>(
    `SELECT number, limits, reporting_interval AS "reportingInterval"
     FROM weatherd.station WHERE number = ANY($1) ORDER BY number FOR KEY SHARE`,
    [[...stations]],
  );
  return new Map(rows.map((row) => [row.number, rulesOf(row)]));
}

async function lockKept(query: Query, stations: readonly number[]): Promise<Map<number, KeptState>> {
  const { rows } = await query<StateRow>(
    `SELECT station, state, first, count FROM weatherd.newest WHERE station = ANY($1) ORDER BY station
     FOR NO KEY UPDATE`,
    [[...stations]],
  );
  return new Map(rows.map((row) => [row.station, toKept(row)]));
}

export async function putStates(query: Query, states: ReadonlyMap<number, KeptState>): Promise<void> {
  const kept = [...states.values()];
  await query(
    `UPDATE weatherd.newest
     SET revision = newest.revision + 1, state = given.state, first = given.first, count = given.count
     FROM unnest($1::integer[], $2::bytea[], $3::bigint[], $4::bigint[]) AS given (station, state, first, count)
     WHERE newest.station = given.station`,
    [
      [...states.keys()],
      kept.map(({ state }) => Buffer.from(state.data.buffer)),
      kept.map(({ first }) => first),
      kept.map(({ count }) => count),
    ],
  );
}

/** Those that have rows, without a lock. */
export async function readStates(
  query: Query,
  stations: readonly number[],
): Promise<Map<number, KeptState & { readonly revision: number }>> {
  const { rows } = await query<StateRow & { revision: number }>(
    'SELECT station, revision, state, first, count FROM weatherd.newest WHERE station = ANY($1)',
    [[...stations]],
  );
  return new Map(rows.map((row) => [row.station, { ...toKept(row), revision: row.revision }]));
}

function toKept({ state, first, count }: StateRow): KeptState {
  if (state.length === 0) return { state: new StationState(), first, count };
  const numbers = new Float64Array(state.buffer.slice(state.byteOffset, state.byteOffset + state.length));
  return { state: new StationState(numbers), first, count };
}
