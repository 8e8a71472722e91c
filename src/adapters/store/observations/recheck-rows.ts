import type { RecheckRequest } from '#application/ports/recheck-store.js';
import { ChangedRows, type ObservationChanges } from '#domain/weather/changed-rows.js';
import type { Series } from '#domain/weather/series.js';
import { encodeRun, Run } from '#adapters/formats/packed/run-codec.js';
import { revisionText } from '#adapters/packed-store/damage.js';
import { dailySeriesOf, stationOf } from '#adapters/packed-store/days/daily-series.js';
import { divideSeries } from '#adapters/packed-store/days/divided-rows.js';
import { lossOfBoth, revisionOf } from '#adapters/packed-store/days/joined-states.js';
import { assemble } from '#adapters/packed-store/run-assembly.js';
import { type CachedState, consumeUnchecked } from '#adapters/packed-store/station-states.js';
import { addRequests } from '../recheck/recheck-requests.js';
import { rowFrom } from '../run-operation.js';
import { sql } from '../sql.js';
import { ask, type ObservationOperation } from './tables.js';

/**
 * Requests rechecks of the rows that were written since the last call. A recheck applies quality control to stored rows once
 * more.
 *
 * @param stations PostgreSQL searches only the block (group of 64 stations) of the first of these stations. SQLite ignores this
 *   list and searches all stations
 */
export function* requestWritten(stations: readonly number[]): ObservationOperation<void> {
  const requests: RecheckRequest[] = [];
  const requested = new Map<number, CachedState>();
  for (const [station, state] of yield* ask.uncheckedStates(stations)) {
    const range = consumeUnchecked(state);
    if (range === undefined) continue;
    requests.push({ station: stationOf(station), ...range, spreads: true });
    requested.set(station, state);
  }
  yield* addRequests(requests);
  yield* ask.putStates(requested);
}

/**
 * Implements `RecheckStore.recheck`. A recheck can change the quality flags of stored rows. The rows with the new flags are
 * written as a run, which is the packed form of the rows of one commit.
 */
export function* storeRechecked(
  station: number,
  revision: string,
  rows: Series,
): ObservationOperation<ObservationChanges | undefined> {
  const known = yield* rowFrom(sql`SELECT 1 AS known FROM weatherd.station WHERE number = ${station}`);
  if (known === undefined) return undefined;
  const { states, loss, block, last, isLocked } = yield* ask.lockState(station);
  if (revisionText(revisionOf(states), lossOfBoth(states, loss)) !== revision) return undefined;
  const halves = divideSeries(rows);
  const pieces = [
    { station, columns: halves.reports, state: states.reports },
    { station: dailySeriesOf(station), columns: halves.days, state: states.days },
  ].map((half) => ({ ...half, from: 0, to: half.columns.times.length, inserted: 0 }));
  const { places, columns } = assemble(pieces);
  const key = [block, last + 1];
  const data = encodeRun(key, places, columns);
  const run = new Run(last + 1, key, data, true);
  const span = [rows.times[0] as number, rows.times.at(-1) as number] as const;
  yield* ask.insertRun({ block, run, first: span[0], last: span[1], data });
  yield* ask.dropDailyAggregates([[station, ...span]]);
  if (isLocked) {
    // The stored states of the station (newest values and totals) are changed to include the rows of the new run, which are the
    // rechecked rows. Otherwise these rows would count as rows that were not rechecked yet, and would be rechecked again.
    const changedStates = new Map<number, CachedState>();
    for (const { station: series, columns: own, state } of pieces) {
      if (own.times.length === 0 || state === undefined) continue;
      state.state.advance(own);
      state.revision = state.seen = run.id;
      changedStates.set(series, state);
    }
    yield* ask.putStates(changedStates);
  }
  const changed = new ChangedRows();
  changed.addAll(station, rows.times, run.id);
  return changed.changes;
}
