import type {
  Inventory,
  ObservationQuery,
  ObservationStore,
} from '../../application/ports/observation-store.js';
import { pickRows, seriesByStation, type WriteCounts, writeSeries } from '../../domain/merge-series.js';
import { DAY, type ObservationBatch, type Series } from '../../domain/observations.js';
import { judge, NO_RULES, type StationRules } from '../../domain/quality-control.js';
import { type Newest, StationState } from '../../domain/station-state.js';
import { VARIABLES } from '../../domain/variables.js';
import { insertRows, readRows, toSeries } from './observation-rows.js';
import type { PostgresDatabase, Query } from './postgres-database.js';

/** Rows of a batch. */
const PAGE = 8192;

interface Known {
  readonly station: number;
  readonly revision: number;
  readonly state: StationState;
}

/** Observations in PostgreSQL: a row an observation, in partitions by year, or a hypertable of TimescaleDB. */
export class PostgresObservationStore implements ObservationStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async write(batch: ObservationBatch, rules: ReadonlyMap<number, StationRules>): Promise<WriteCounts> {
    const parts = seriesByStation(batch);
    return await this.#database.transaction(async (query) => {
      const known = await lockStates(query, [...parts.keys()]);
      const counts = { inserted: 0, updated: 0, unchanged: 0 };
      const written = new Map<number, Series>();
      for (const { station, state } of known) {
        const added = parts.get(station) as Series;
        const part = await writePart(query, station, added, state, rules.get(station) ?? NO_RULES);
        counts.inserted += part.inserted;
        counts.updated += part.updated;
        counts.unchanged += part.unchanged;
        if (part.series.times.length === 0) continue;
        state.advance(part.series);
        written.set(station, part.series);
      }
      if (written.size > 0) {
        await insertRows(query, written);
        await putStates(
          query,
          known.filter(({ station }) => written.has(station)),
        );
      }
      return counts;
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

  async inventory(station: number): Promise<Inventory> {
    const counts = VARIABLES.map(({ name, number }) => `count(${name}) AS v${number}`).join(', ');
    const { rows } = await this.#database.query<Record<string, number | null>>(
      `SELECT min(time) AS first, max(time) AS last, count(*) AS count, ${counts}
       FROM weatherd.observation WHERE station = $1`,
      [station],
    );
    const found = rows[0] ?? {};
    return {
      first: found['first'] ?? null,
      last: found['last'] ?? null,
      count: found['count'] ?? 0,
      variables: VARIABLES.map(({ number }) => number).filter((number) => (found[`v${number}`] ?? 0) > 0),
    };
  }
}

/** The states of stations, in the order of their numbers, so that writers wait for each other and never in a circle. */
async function lockStates(query: Query, stations: readonly number[]): Promise<Known[]> {
  const sorted = [...stations].sort((a, b) => a - b);
  const { rowCount } = await query(
    `INSERT INTO weatherd.newest (station, revision, state)
     SELECT number, 0, ''::bytea FROM weatherd.station WHERE number = ANY($1) ORDER BY number
     ON CONFLICT (station) DO UPDATE SET revision = newest.revision`,
    [sorted],
  );
  if (rowCount !== stations.length) throw new Error('there is no such station');
  const { rows } = await query<{ station: number; revision: number; state: Buffer }>(
    'SELECT station, revision, state FROM weatherd.newest WHERE station = ANY($1) ORDER BY station FOR UPDATE',
    [sorted],
  );
  return rows.map(({ station, revision, state }) => ({ station, revision, state: stateOf(state) }));
}

async function putStates(query: Query, known: readonly Known[]): Promise<void> {
  await query(
    `UPDATE weatherd.newest SET revision = newest.revision + 1, state = given.state
     FROM unnest($1::integer[], $2::bytea[]) AS given (station, state) WHERE newest.station = given.station`,
    [known.map(({ station }) => station), known.map(({ state }) => Buffer.from(state.data.buffer))],
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
  added: Series,
  state: StationState,
  rules: StationRules,
): Promise<WriteCounts & { series: Series }> {
  const [first, last] = [added.times[0] as number, added.times.at(-1) as number];
  if (first > state.lastSeen) {
    const series = judge(added, rules, state.tail);
    return { series, inserted: added.times.length, updated: 0, unchanged: 0 };
  }
  const base = toSeries(
    await readRows(query, { stations: [station], from: first - DAY, to: last + 1, limit: undefined }),
  );
  const { series, touched, ...counts } = writeSeries(base, added, rules);
  return { ...counts, series: pickRows(series, touched) };
}
