import type { Database } from 'better-sqlite3';
import { StationState } from '#domain/weather/station-state.js';
import { type ChunkRow, decodeAll, openChunk } from '#adapters/formats/packed/decoded-series.js';
import type { FoundDifference } from '#adapters/packed-store/check/findings.js';
import type { CachedState, StationStates } from '#adapters/packed-store/station-states.js';
import { allKeysOf } from '../observations/key-range.js';
import { expireStates } from '../observations/newest-table.js';
import type { ObservationReader } from '../observations/observation-reader.js';
import { damagedReads } from './damage.js';

/**
 * Deletes the blobs that have been put aside, and computes the states of their stations again from the remaining
 * chunks. Does the same for states that differ from the rows, and deletes tables of days and journals that differ or cannot
 * be read. It must be called within a transaction.
 *
 * @throws Error if there are runs that have not been merged
 */
export function discardDamaged(
  database: Database,
  reader: ObservationReader,
  states: StationStates,
  differences: readonly FoundDifference[],
): void {
  if (reader.snapshot().all.length > 0 || reader.blocks.all().length > 0)
    throw new Error('observations came in meanwhile; try again');
  const damage = damagedReads(database).damage();
  const stored = database.prepare<[], number>('SELECT station FROM newest').pluck();
  const stations = damage.some((one) => one.stations === null)
    ? stored.all()
    : damage.flatMap((one) => one.stations ?? []);
  database.exec('DELETE FROM damaged');
  for (const station of stations) reader.lists.repair(station);
  const removeDayTables = database.prepare('DELETE FROM day_table WHERE station = ?');
  const revision = expireStates(database);
  for (const station of new Set(stations)) removeDayTables.run(station);
  const wrong = differences.flatMap(({ kind, station }) =>
    kind === 'totals' && station !== undefined ? [station] : [],
  );
  for (const station of new Set([...stations, ...wrong]))
    states.save(station, stateFromChunks(database, station, revision));
  for (const { kind, station } of differences)
    if (kind === 'list' && station !== undefined) reader.lists.rebuild(station);
  discardDifferences(database, differences);
}

function discardDifferences(database: Database, differences: readonly FoundDifference[]): void {
  const removeTables = [
    'day_table WHERE station = ? AND start',
    'removed_month WHERE station = ? AND month_start',
  ].map((place) => database.prepare(`DELETE FROM ${place} = ?`));
  const removeJournal = database.prepare('DELETE FROM import_journal WHERE import = ?');
  const forget = database.prepare(
    'UPDATE file_import SET forgotten = 1, bytes = 0, key = NULL WHERE number = ?',
  );
  for (const { kind, station, key } of differences) {
    if (kind === 'days') for (const remove of removeTables) remove.run(station, key);
    if (kind !== 'journal') continue;
    removeJournal.run(key);
    forget.run(key);
  }
}

function stateFromChunks(database: Database, station: number, revision: number): CachedState {
  const chunks = database.prepare<[number, number], ChunkRow>(
    'SELECT key, rows, days, data FROM chunk WHERE key BETWEEN ? AND ? ORDER BY key',
  );
  const state = new StationState();
  let rows = 0;
  let first = Infinity;
  for (const row of chunks.iterate(...allKeysOf(station))) {
    const series = decodeAll([openChunk(row)], undefined);
    state.advance(series);
    rows += row.rows;
    first = Math.min(first, series.times[0] ?? Infinity);
  }
  const { lastSeen: last } = state;
  const unjudged = { unjudgedFrom: first, unjudgedTo: last };
  return { state, revision, rows, first, seen: revision, oldest: revision, chunksEnd: last, ...unjudged };
}
