import type {
  Inventory,
  ObservationQuery,
  ObservationStore,
  ObservationWrite,
  WriteOutcome,
} from '../../application/ports/observation-store.js';
import { pickRows, type WriteCounts, writeSeries } from '../../domain/merge-series.js';
import { DAY, type ObservationBatch, type Series } from '../../domain/observations.js';
import { judge, NO_RULES, type StationRules } from '../../domain/quality-control.js';
import { partsByStation, type StationPart } from '../../domain/row-order.js';
import { type Newest, StationState } from '../../domain/station-state.js';
import { VARIABLES } from '../../domain/variables.js';
import { insertRows, readRows, toSeries } from './observation-rows.js';
import type { PostgresDatabase, Query } from './postgres-database.js';

/** Rows of a batch. */
const PAGE = 8192;

/** Observations in PostgreSQL: a row an observation, in partitions by year, or a hypertable of TimescaleDB. */
export class PostgresObservationStore implements ObservationStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async write(writes: readonly ObservationWrite[]): Promise<readonly WriteOutcome[]> {
    const sent = writes.map(({ batch, rules }) => ({ parts: partsByStation(batch), rules }));
    return await this.#database.transaction(async (query) => {
      const numbers = new Set(sent.flatMap(({ parts }) => [...parts.keys()]));
      const states = await lockStates(query, [...numbers]);
      const outcomes: WriteOutcome[] = [];
      const changed = new Set<number>();
      for (const { parts, rules } of sent) {
        outcomes.push(await writeParts(query, parts, rules, states, changed));
      }
      if (changed.size > 0) await putStates(query, states, changed);
      return outcomes;
    });
  }

  /**
   * Page by page, each from where the last one ended: a cursor that is kept open would hold one of the few connections for
   * as long as a slow client reads.
   */
  async *read({ stations, from, to, variables }: ObservationQuery): AsyncGenerator<ObservationBatch> {
    if (from >= to) return;
    let after: readonly [station: number, time: number] | undefined;
    for (;;) {
      const rows = await readRows(this.#database.query, {
        stations,
        from,
        to,
        variables,
        after,
        limit: PAGE,
      });
      if (rows.times.length > 0) yield rows;
      if (rows.times.length < PAGE) return;
      after = [rows.stations.at(-1) as number, rows.times.at(-1) as number];
    }
  }

  async newest(stations: readonly number[]): Promise<readonly Newest[]> {
    const { rows } = await this.#database.query<{ station: number; revision: number; state: Buffer }>(
      'SELECT station, revision, state FROM weatherd.newest WHERE station = ANY($1)',
      [[...stations]],
    );
    const known = new Map(rows.map((row) => [row.station, row]));
    return stations.map((station) => {
      const { state, revision } = known.get(station) ?? { state: Buffer.alloc(0), revision: 0 };
      return stateOf(state).describe(station, revision);
    });
  }

  async inventory(stations: readonly number[]): Promise<readonly Inventory[]> {
    const counts = VARIABLES.map(({ name, number }) => `count(${name}) AS v${number}`).join(', ');
    const { rows } = await this.#database.query<Record<string, number | null>>(
      `SELECT station, min(time) AS first, max(time) AS last, count(*) AS count, ${counts}
       FROM weatherd.observation WHERE station = ANY($1) GROUP BY station`,
      [[...stations]],
    );
    const known = new Map(rows.map((row) => [row['station'], row]));
    return stations.map((station) => {
      const found = known.get(station) ?? {};
      return {
        first: found['first'] ?? null,
        last: found['last'] ?? null,
        count: found['count'] ?? 0,
        variables: VARIABLES.map(({ number }) => number).filter((number) => (found[`v${number}`] ?? 0) > 0),
      };
    });
  }
}

async function writeParts(
  query: Query,
  parts: ReadonlyMap<number, StationPart>,
  rules: ReadonlyMap<number, StationRules>,
  states: ReadonlyMap<number, StationState>,
  changed: Set<number>,
): Promise<WriteOutcome> {
  const outcome = { inserted: 0, updated: 0, unchanged: 0, unknown: [] as number[] };
  const written = new Map<number, Series>();
  for (const [station, added] of parts) {
    const state = states.get(station);
    if (state === undefined) {
      outcome.unknown.push(station);
      continue;
    }
    const part = await writePart(query, station, added, state, rules.get(station) ?? NO_RULES);
    outcome.inserted += part.inserted;
    outcome.updated += part.updated;
    outcome.unchanged += part.unchanged;
    if (part.series.times.length === 0) continue;
    state.advance(part.series);
    written.set(station, part.series);
    changed.add(station);
  }
  if (written.size > 0) await insertRows(query, written);
  return outcome;
}

/**
 * The states of the stations that there are, in the order of their numbers, so that writers wait for each other and never in
 * a circle.
 */
async function lockStates(query: Query, stations: readonly number[]): Promise<Map<number, StationState>> {
  const sorted = [...stations].sort((a, b) => a - b);
  await query(
    `INSERT INTO weatherd.newest (station, revision, state)
     SELECT number, 0, ''::bytea FROM weatherd.station WHERE number = ANY($1) ORDER BY number
     ON CONFLICT (station) DO UPDATE SET revision = newest.revision`,
    [sorted],
  );
  const { rows } = await query<{ station: number; state: Buffer }>(
    `SELECT station, state FROM weatherd.newest JOIN weatherd.station ON number = newest.station
     WHERE station = ANY($1) ORDER BY station FOR UPDATE OF newest`,
    [sorted],
  );
  return new Map(rows.map(({ station, state }) => [station, stateOf(state)]));
}

async function putStates(
  query: Query,
  states: ReadonlyMap<number, StationState>,
  changed: ReadonlySet<number>,
): Promise<void> {
  const stations = [...changed];
  await query(
    `UPDATE weatherd.newest SET revision = newest.revision + 1, state = given.state
     FROM unnest($1::integer[], $2::bytea[]) AS given (station, state) WHERE newest.station = given.station`,
    [stations, stations.map((station) => Buffer.from((states.get(station) as StationState).data.buffer))],
  );
}

function stateOf(kept: Buffer): StationState {
  if (kept.length === 0) return new StationState();
  return new StationState(
    new Float64Array(kept.buffer.slice(kept.byteOffset, kept.byteOffset + kept.length)),
  );
}

/** What of `added` is new, judged. */
async function writePart(
  query: Query,
  station: number,
  added: StationPart,
  state: StationState,
  rules: StationRules,
): Promise<WriteCounts & { series: Series }> {
  const { times } = added.series;
  const [first, last] = [times[0] as number, times.at(-1) as number];
  if (first > state.lastSeen) {
    const series = judge(added.series, rules, state.tail);
    return { series, inserted: times.length, updated: 0, unchanged: added.folded };
  }
  const base = toSeries(
    await readRows(query, { stations: [station], from: first - DAY, to: last + 1, limit: undefined }),
  );
  const { series, touched, ...counts } = writeSeries(base, added, rules);
  return { ...counts, series: pickRows(series, touched) };
}
