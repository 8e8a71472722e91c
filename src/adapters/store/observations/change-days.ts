import { ChangedRows, type ObservationChanges } from '#domain/weather/changed-rows.js';
import type { Series } from '#domain/weather/series.js';
import type { Reverted } from '#domain/weather/undo/cell-changes.js';
import { stationOf } from '#adapters/packed-store/days/daily-series.js';
import { groupsOf } from '#adapters/packed-store/groups.js';
import { replaceDays } from '#adapters/packed-store/chunks/station-chunks.js';
import type { CachedState } from '#adapters/packed-store/station-states.js';
import { changedDays, rebuiltState, type UndoneStations } from '#adapters/packed-store/undo-days.js';
import { ask, type DaySpan, type ObservationOperation, type TimeSpan } from './tables.js';

/** Maximum number of days whose rows are read in one step. The number is limited because the rows need memory. */
const DAYS_AT_ONCE = 512;
/**
 * Maximum number of stations whose states (newest values and totals) are computed in one step. The number is limited because the
 * rows from which a state is computed need memory.
 */
const STATIONS_AT_ONCE = 64;

/**
 * A change of the rows of some days of a station. `revert` gets the stored rows of these days, and returns the rows after the
 * change.
 */
export interface DayChange extends DaySpan {
  readonly revert: (stored: Series) => Reverted;
}

/**
 * Changes the rows of some days. The rows are stored in chunks, which contain the packed rows of 1, 8 or 64 days of a station.
 * The caller must have called `ask.settle`, which moves all rows of the stations into chunks.
 *
 * @param undone collects the changes
 * @param dropsTables whether to drop the daily aggregates, which are stored sums of the changed rows
 */
export function* changeDays(
  changes: readonly DayChange[],
  undone: UndoneStations,
  dropsTables = true,
): ObservationOperation<void> {
  for (const group of groupsOf(changes, DAYS_AT_ONCE, ({ first, last }) => last - first + 1)) {
    const chunks = yield* ask.openDays(group);
    const spans: TimeSpan[] = [];
    for (const { station, first, last, revert } of group) {
      const reverted = revert(chunks.rowsOfDays(station, first, last));
      undone.note(station, reverted);
      if (dropsTables && reverted.span !== undefined) spans.push([stationOf(station), ...reverted.span]);
      replaceDays(chunks, station, changedDays(reverted));
    }
    yield* ask.storeDays();
    yield* ask.dropDailyAggregates(spans);
  }
}

/**
 * Computes the states of stations (newest values and totals) again, after `changeDays` has changed rows of these stations.
 *
 * @returns the changed rows
 */
export function* rebuildStates(undone: UndoneStations): ObservationOperation<ObservationChanges> {
  const changed = new ChangedRows();
  if (undone.size === 0) return changed.changes;
  const revisions = yield* ask.newRevisions([...undone.keys()]);
  for (const group of groupsOf(undone, STATIONS_AT_ONCE)) {
    const before = yield* ask.states(group.map(([station]) => station));
    const days = yield* ask.stateDays(
      new Map([...before].map(([station, { state }]) => [station, state.variables()])),
    );
    const chunks = yield* ask.openDays(
      [...days].flatMap(([station, own]) => own.map((day) => ({ station, first: day, last: day }))),
    );
    const rebuilt = new Map<number, CachedState>();
    for (const [station, undo] of group) {
      const revision = revisions.get(station) as number;
      const own = days.get(station) ?? [];
      const starts = new Set(own.flatMap((day) => chunks.find(station, day)?.day ?? []));
      const rows = [...starts].sort((a, b) => a - b).flatMap((day) => chunks.rows(station, day) ?? []);
      rebuilt.set(station, rebuiltState(before.get(station) as CachedState, undo, revision, rows));
      for (const [from, to] of undo.spans) changed.add(stationOf(station), from, to, revision);
    }
    yield* ask.storeDays();
    yield* ask.putStates(rebuilt);
  }
  return changed.changes;
}
