import type { Series } from '#domain/weather/series.js';
import { StationStates } from '#adapters/packed-store/station-states.js';
import { rebuiltState, type UndoneStations } from '#adapters/packed-store/undo-days.js';
import { FetchedChunks } from '../chunks/fetched-chunks.js';
import { byStatement } from '../database/by-statement.js';
import type { Query } from '../database/query.js';
import { blockOf } from './blocks.js';
import { FetchedNewest, readNewest } from './newest-rows.js';

/** Number of stations whose states are computed at once. It limits memory. */
const MAX_STATIONS = 64;

/**
 * Computes the states of stations again after rows were changed in chunks, within a transaction in which their blocks have
 * no runs.
 */
export async function rebuildStates(
  query: Query,
  undone: UndoneStations,
  revisionOf: (station: number) => number,
): Promise<void> {
  const stations = [...undone.keys()];
  for (let from = 0; from < stations.length; from += MAX_STATIONS) {
    const some = stations.slice(from, from + MAX_STATIONS);
    const newest = new FetchedNewest();
    newest.set(some, await readNewest(query, some));
    const states = new StationStates(newest);
    const before = new Map(
      some.map((station) => [station, states.of(station, { all: [], last: 0, damagedRuns: '' })]),
    );
    const bounds = await boundsOf(query, some);
    const days = await newestDays(
      query,
      some.flatMap((station) =>
        (before.get(station)?.state.variables() ?? []).map((variable) => [station, variable] as const),
      ),
    );
    const chunks = new FetchedChunks();
    for (const [station, { first, last }] of bounds) {
      const own = days.get(station) ?? new Set();
      days.set(station, own.add(last - 1).add(last));
      own.add(first);
    }
    await chunks.fetch(
      query,
      [...days].flatMap(([station, own]) => [...own].map((day) => ({ station, first: day, last: day }))),
    );
    for (const [station, cached] of before) {
      const undo = undone.get(station) ?? { removed: 0, spans: [] };
      const bound = bounds.get(station);
      const starts = new Set(
        [...(days.get(station) ?? [])].flatMap((day) => chunks.find(station, day)?.day ?? []),
      );
      const read = [...starts].sort((a, b) => a - b).flatMap((day) => chunks.rows(station, day) ?? []);
      const oldest: Series | undefined = bound && chunks.rows(station, bound.first);
      states.save(station, rebuiltState(cached, undo, revisionOf(station), oldest, read));
    }
    await newest.write(query);
  }
}

/** The first days of the first and of the last chunk of stations. Stations without rows are missing. */
async function boundsOf(
  query: Query,
  stations: readonly number[],
): Promise<Map<number, { readonly first: number; readonly last: number }>> {
  const bounds = new Map<number, { readonly first: number; readonly last: number }>();
  for (const [some, inBlock] of byStatement(query, stations, blockOf, 'wanted.block')) {
    const { rows } = await query<{ station: number; first: number; last: number }>(
      `SELECT station, min(day) AS first, max(day) AS last FROM weatherd.chunk
       WHERE (block, station) IN (
         SELECT ${inBlock}, wanted.station FROM unnest($1::integer[], $2::integer[]) AS wanted (block, station))
       GROUP BY station`,
      [some.map(blockOf), [...some]],
    );
    for (const { station, first, last } of rows) bounds.set(station, { first, last });
  }
  return bounds;
}

/** The first day of the newest chunk with a value of each of these variables, by station. */
async function newestDays(
  query: Query,
  wanted: readonly (readonly [station: number, variable: number])[],
): Promise<Map<number, Set<number>>> {
  const days = new Map<number, Set<number>>();
  for (const [some, inBlock] of byStatement(query, wanted, ([station]) => blockOf(station), 'wanted.block')) {
    const { rows } = await query<{ station: number; day: number | null }>(
      `SELECT wanted.station, (
         SELECT day FROM weatherd.chunk
         WHERE block = ${inBlock} AND station = wanted.station AND variables & wanted.mask <> 0
         ORDER BY day DESC LIMIT 1) AS day
       FROM unnest($1::integer[], $2::integer[], $3::bigint[]) AS wanted (block, station, mask)`,
      [
        some.map(([station]) => blockOf(station)),
        some.map(([station]) => station),
        some.map(([, variable]) => 2 ** variable),
      ],
    );
    for (const { station, day } of rows) {
      if (day === null) continue;
      const own = days.get(station) ?? new Set();
      days.set(station, own.add(day));
    }
  }
  return days;
}
