import { StationState } from '#domain/weather/station-state.js';
import type { DifferenceKind, FoundDifference } from '#adapters/packed-store/check/check-findings.js';
import { ALL_TIMES, type Damage } from '#adapters/packed-store/damage.js';
import { stationOf } from '#adapters/packed-store/days/daily-series.js';
import { groupsOf } from '#adapters/packed-store/groups.js';
import type { CachedState } from '#adapters/packed-store/station-states.js';
import { forgetImports } from '../imports/journal-entries.js';
import { send } from '../run-operation.js';
import { sql } from '../sql.js';
import { ask, type ObservationOperation, type TimeSpan } from './tables.js';

/**
 * Maximum number of chunks that are read in one step. A chunk contains the packed rows of 1, 8 or 64 days of a station. The
 * number is limited because the chunks need memory.
 */
const CHUNKS_AT_ONCE = 366;

/**
 * What a check of the data has found: damaged blobs (packed rows that cannot be read), and differences, for example stored totals
 * that do not match the rows.
 */
export interface DiscardRequest {
  /**
   * PostgreSQL stores stations in blocks, which are groups of 64 stations. It deletes the damaged blobs in the blocks of these
   * stations. SQLite ignores this list and deletes the damaged blobs of all stations.
   */
  readonly stations: readonly number[];
  readonly damage: readonly Damage[];
  readonly differences: readonly FoundDifference[];
}

/**
 * Repairs the stored data without their damaged parts:
 *
 * - Damaged blobs, which contain packed rows, are deleted.
 * - The states (newest values and totals) of the stations of these blobs are computed again from the rows that can still be read.
 *   States that differ from the rows are computed again too.
 * - Daily aggregates and journals of imports are deleted if they differ from the rows or cannot be read.
 */
export function* discardDamaged({
  stations,
  damage,
  differences,
}: DiscardRequest): ObservationOperation<void> {
  // Imports are locked before stations. An undo locks them in the same order, so that no deadlock is possible.
  yield* forgetImports(differences.flatMap(({ kind, key }) => (kind === 'journal' ? [key] : [])));
  yield* ask.settle(stations);
  yield* ask.putAside(damage);
  const lost = yield* ask.discardAside(stations);
  const stationsWith = (wanted: DifferenceKind) =>
    differences.flatMap(({ kind, station }) => (kind === wanted && station !== undefined ? [station] : []));
  yield* ask.rebuildLists(stationsWith('list'));
  const tables = lost.map((station): TimeSpan => [stationOf(station), ALL_TIMES.first, ALL_TIMES.last]);
  for (const { kind, station, key } of differences) {
    if (kind !== 'days' || station === undefined) continue;
    yield* send(sql`DELETE FROM weatherd.removed_month WHERE station = ${station} AND month_start = ${key}`);
    // Only the daily aggregates of the month that begins at `key` are dropped. The range begins one millisecond later, because
    // the start of this month is also the end of the previous month.
    tables.push([station, key + 1, key + 1]);
  }
  yield* ask.dropDailyAggregates(tables);
  const wrong = [...new Set([...lost, ...stationsWith('totals')])];
  const revisions = yield* ask.newRevisions(wrong);
  for (const station of wrong) {
    const state = yield* stateFromChunks(station, revisions.get(station) as number);
    yield* ask.putStates(new Map([[station, state]]));
  }
}

function* stateFromChunks(station: number, revision: number): ObservationOperation<CachedState> {
  const state = new StationState();
  let [rows, first] = [0, Infinity];
  for (const days of groupsOf(yield* ask.chunkStarts(station), CHUNKS_AT_ONCE)) {
    const chunks = yield* ask.openDays(days.map((day) => ({ station, first: day, last: day })));
    for (const day of days) {
      const series = chunks.rows(station, day);
      if (series === undefined)
        throw new Error(
          `a day of station ${station} became unreadable during the repair; run "weatherd check" again`,
        );
      state.advance(series);
      rows += series.times.length;
      first = Math.min(first, series.times[0] ?? Infinity);
    }
  }
  const { lastSeen: last } = state;
  const unchecked = { uncheckedFrom: first, uncheckedTo: last };
  return { state, revision, rows, first, seen: revision, oldest: revision, chunksEnd: last, ...unchecked };
}
