import { StationState } from '#domain/weather/station-state.js';
import { dayOfKey, stationOfKey } from '#adapters/formats/packed/chunk-key.js';
import type { Findings } from '#adapters/packed-store/check/findings.js';
import { type CachedState, StationStates } from '#adapters/packed-store/station-states.js';
import { FetchedChunks } from '../chunks/fetched-chunks.js';
import type { Query } from '../database/query.js';
import { mergeBlock } from '../observations/block-merger.js';
import { blockOf, lockForChanging, useUpRun } from '../observations/blocks.js';
import { FetchedNewest, storedStations } from '../observations/newest-rows.js';
import { RunCache } from '../observations/run-cache.js';
import { putAside, readDamage } from './damaged-blobs.js';

/** Number of chunks that are read at once. */
const CHUNKS_AT_ONCE = 366;

/**
 * Deletes the damaged blobs of a block, and computes the states of their stations again from the remaining chunks. Does the
 * same for states that differ from the rows, and deletes tables of days that differ or cannot be read. It runs in the
 * transaction of the caller.
 */
export async function discardInBlock(query: Query, block: number, findings: Findings): Promise<void> {
  await lockForChanging(query, [block]);
  // Damaged runs are put aside by the merge.
  await mergeBlock(query, block, new RunCache(), undefined, Infinity);
  const chunks = new FetchedChunks();
  const found = findings.damage.filter((one) => one.block === block && one.damage.kind === 'chunk');
  for (const { damage } of found) {
    const [station, day] = [stationOfKey(damage.key), dayOfKey(damage.key)];
    // Read again, because an intact chunk may have replaced it.
    await chunks.fetch(query, [{ station, first: day, last: day }]);
    chunks.rows(station, day);
  }
  for (const damage of chunks.damage) await putAside(query, block, damage);
  const damage = (await readDamage(query, [block])).get(block) ?? [];
  const stations = new Set(
    damage.some((one) => one.stations === null)
      ? await storedStations(query, block)
      : damage.flatMap((one) => one.stations ?? []),
  );
  const own = findings.differences.filter(
    ({ station }) => station !== undefined && blockOf(station) === block,
  );
  await query('DELETE FROM weatherd.damaged WHERE block = $1', [block]);
  await query('UPDATE weatherd.block SET damaged = 0 WHERE block = $1', [block]);
  await query('DELETE FROM weatherd.day_table WHERE block = $1 AND station = ANY($2)', [
    block,
    [...stations],
  ]);
  for (const { kind, station = 0, key } of own) {
    if (kind === 'totals') stations.add(station);
    if (kind !== 'days') continue;
    await query('DELETE FROM weatherd.removed_month WHERE station = $1 AND month_start = $2', [station, key]);
    await query('DELETE FROM weatherd.day_table WHERE block = $1 AND station = $2 AND start = $3', [
      block,
      station,
      key,
    ]);
  }
  const revision = await useUpRun(query, block);
  const newest = new FetchedNewest();
  const states = new StationStates(newest);
  for (const station of stations)
    states.save(station, await stateFromChunks(query, block, station, revision));
  await newest.write(query);
}

/** Gives up the undo of imports. */
export async function forgetImports(query: Query, imports: readonly number[]): Promise<void> {
  await query('DELETE FROM weatherd.import_journal WHERE import = ANY($1)', [[...imports]]);
  await query(
    'UPDATE weatherd.file_import SET forgotten = true, bytes = 0, key = NULL WHERE number = ANY($1)',
    [[...imports]],
  );
}

async function stateFromChunks(
  query: Query,
  block: number,
  station: number,
  revision: number,
): Promise<CachedState> {
  const state = new StationState();
  let [rows, first] = [0, Infinity];
  const { rows: days } = await query<{ day: number }>(
    'SELECT day FROM weatherd.chunk WHERE block = $1 AND station = $2 ORDER BY day',
    [block, station],
  );
  for (let at = 0; at < days.length; at += CHUNKS_AT_ONCE) {
    const part = days.slice(at, at + CHUNKS_AT_ONCE).map(({ day }) => day);
    const chunks = new FetchedChunks();
    await chunks.fetch(
      query,
      part.map((day) => ({ station, first: day, last: day })),
    );
    for (const day of part) {
      const series = chunks.rows(station, day);
      if (series === undefined) throw new Error(`a day of station ${station} became unreadable meanwhile`);
      state.advance(series);
      rows += series.times.length;
      first = Math.min(first, series.times[0] ?? Infinity);
    }
  }
  const { lastSeen: last } = state;
  const unjudged = { unjudgedFrom: first, unjudgedTo: last };
  return { state, revision, rows, first, seen: revision, oldest: revision, chunksEnd: last, ...unjudged };
}
