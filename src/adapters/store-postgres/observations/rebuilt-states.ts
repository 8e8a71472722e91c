import { STEP_REACH } from '../../../domain/weather/quality-control.js';
import { StationState } from '../../../domain/weather/station-state.js';
import { variableNumbered } from '../../../domain/weather/variables.js';
import type { Query } from '../database/query.js';
import { readSpans, type StationSpan } from './neighbourhoods.js';
import type { StoredState } from './station-states.js';

/** The state of a station before some of its values were taken back. */
export interface OutdatedState extends StoredState {
  /** Ranges of times in which values were taken back. */
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/**
 * Computes states again, within the transaction that has taken back values. Only for a variable whose newest value lay
 * in one of the spans, the value before is searched.
 */
export async function rebuildStates(
  query: Query,
  outdated: ReadonlyMap<number, OutdatedState>,
): Promise<Map<number, StoredState>> {
  const newest = await newestTimes(query, outdated);
  const { rows } = await query<{ station: number; first: number | null; last: number | null }>(
    `SELECT station, (SELECT min(time) FROM weatherd.observation AS kept WHERE kept.station = given.station) AS first,
       (SELECT max(time) FROM weatherd.observation AS kept WHERE kept.station = given.station) AS last
     FROM unnest($1::integer[]) AS given (station)`,
    [[...outdated.keys()]],
  );
  const spans = rows.flatMap(({ station, last }): StationSpan[] => {
    if (last === null) return [];
    // The step check compares the next values with the last ones.
    const reach = last - STEP_REACH;
    const before = [...new Set(newest.get(station)?.values())].filter((time) => time < reach);
    return [
      ...before.sort((a, b) => a - b).map((time) => ({ station, first: time, last: time })),
      { station, first: reach, last },
    ];
  });
  const found = await readSpans(query, spans);
  const states = new Map(
    rows.map(({ station, first }) => {
      const count = outdated.get(station)?.count ?? 0;
      return [station, { state: new StationState(), first, count }] as const;
    }),
  );
  for (const [index, { station }] of spans.entries()) {
    const series = found[index];
    if (series !== undefined) states.get(station)?.state.advance(series);
  }
  return states;
}

/** The time of the newest value of each variable of each station. */
async function newestTimes(
  query: Query,
  outdated: ReadonlyMap<number, OutdatedState>,
): Promise<ReadonlyMap<number, Map<number, number>>> {
  const times = new Map<number, Map<number, number>>();
  const searched = new Map<number, { stations: number[]; times: number[] }>();
  for (const [station, { state, spans }] of outdated) {
    const own = new Map<number, number>();
    times.set(station, own);
    state.describe(station, 0).each((variable, time) => {
      if (!spans.some(([from, to]) => time >= from && time <= to)) {
        own.set(variable, time);
        return;
      }
      const search = searched.get(variable) ?? { stations: [], times: [] };
      searched.set(variable, search);
      search.stations.push(station);
      search.times.push(time);
    });
  }
  for (const [variable, search] of searched) {
    const { name } = variableNumbered(variable);
    const { rows } = await query<{ station: number; time: number | null }>(
      `SELECT given.station, (
         SELECT time FROM weatherd.observation AS kept
         WHERE kept.station = given.station AND kept.time <= given.time AND ${name} IS NOT NULL
         ORDER BY time DESC LIMIT 1) AS time
       FROM unnest($1::integer[], $2::bigint[]) AS given (station, time)`,
      [search.stations, search.times],
    );
    for (const { station, time } of rows) if (time !== null) times.get(station)?.set(variable, time);
  }
  return times;
}
