import type { Series } from '#domain/weather/series.js';
import type { Reverted } from '#domain/weather/undo/cell-changes.js';
import { isDaily } from '#domain/weather/variables.js';
import { encodeRun, Run } from '#adapters/formats/packed/run-codec.js';
import { endOf } from '#adapters/packed-store/chunks/chunk-days.js';
import { dailySeriesOf } from '#adapters/packed-store/days/daily-series.js';
import { divideSeries } from '#adapters/packed-store/days/divided-rows.js';
import type { CachedState } from '#adapters/packed-store/station-states.js';
import { UndoneStations } from '#adapters/packed-store/undo-days.js';
import { rowsFrom, send } from '../run-operation.js';
import { integer, sql, sqlValues } from '../sql.js';
import { lockVersion } from '../versions.js';
import { changeDays, rebuildStates } from './change-days.js';
import { ask, type ObservationOperation } from './tables.js';

/** Maximum number of stations that one step looks at. A step moves daily values of one station at most. */
const STATIONS_AT_ONCE = 64;
const STATIONS = sqlValues('station', 'integer');

/** A position in the move: rows of the station before the time `from` have been looked at. */
export interface MovePosition {
  readonly station: number;
  readonly from: number;
}

export interface MoveStep {
  /** Number of rows with daily values that were moved. */
  readonly rows: number;
  /** The next position; undefined if nothing is left to move. */
  readonly next: MovePosition | undefined;
}

/**
 * Moves daily values into the series of their own (`daily-series.ts`). Earlier versions stored them in the rows of the reports. A
 * step is one transaction and moves a limited number of rows, so that the move can continue after an interruption. The table
 * `undivided` has the stations whose rows may still contain daily values.
 *
 * Values, flags and the totals of all values stay the same, so nothing is announced or checked again.
 *
 * @param after the position that the last step has returned. Without it the rows of the first station are looked at again
 */
export function* moveDailyValues(after: MovePosition | undefined): ObservationOperation<MoveStep> {
  // Several instances may start at the same time. They move the values one after the other.
  yield* lockVersion('stations');
  const rows = yield* rowsFrom<{ station: number }>(
    sql`SELECT station FROM weatherd.undivided ORDER BY station LIMIT ${integer(STATIONS_AT_ONCE)}`,
  );
  const stations = rows.map(({ station }) => station);
  if (stations.length === 0) return { rows: 0, next: undefined };
  yield* ask.settle(stations, true);
  const states = yield* ask.states(stations);
  const hasDays = (station: number) => states.get(station)?.state.variables().some(isDaily) === true;
  const station = stations.find(hasDays);
  const without = station === undefined ? stations : stations.slice(0, stations.indexOf(station));
  yield* forget(without);
  if (station === undefined) return { rows: 0, next: { station: 0, from: -Infinity } };
  const from = after?.station === station ? after.from : -Infinity;
  const { chunks, isAll } = yield* ask.oldestChunks(station, from, Infinity);
  const [oldest, newest] = [chunks[0], chunks.at(-1)];
  if (oldest === undefined || newest === undefined) {
    yield* forget([station]);
    return { rows: 0, next: { station: 0, from: -Infinity } };
  }
  const span = { first: oldest.day, last: newest.day + newest.days - 1 };
  const moved = yield* moveSpan(station, span);
  if (isAll) yield* forget([station]);
  return { rows: moved, next: { station, from: endOf(newest) } };
}

/**
 * Moves all daily values that were stored by an earlier version.
 *
 * @param step runs `moveDailyValues` in one transaction
 * @returns the number of moved rows
 */
export async function moveAll(step: (after: MovePosition | undefined) => Promise<MoveStep>): Promise<number> {
  let moved = 0;
  let next: MovePosition | undefined;
  do {
    const done: MoveStep = await step(next);
    moved += done.rows;
    next = done.next;
  } while (next !== undefined);
  return moved;
}

function* forget(stations: readonly number[]): ObservationOperation<void> {
  if (stations.length === 0) return;
  yield* send(
    sql`DELETE FROM weatherd.undivided WHERE station IN (SELECT station FROM ${STATIONS(stations)})`,
  );
}

/** Moves the daily values of some days. @returns the number of their rows */
function* moveSpan(
  station: number,
  span: { readonly first: number; readonly last: number },
): ObservationOperation<number> {
  const series = dailySeriesOf(station);
  const days = (yield* ask.states([series])).get(series) as CachedState;
  let moved: Series | undefined;
  let removed = 0;
  const revert = (stored: Series): Reverted => {
    const divided = divide(stored);
    moved = divided.days;
    removed = divided.reverted.removed.length;
    return divided.reverted;
  };
  yield* changeDays([{ station, ...span, revert }], new UndoneStations(), false);
  if (moved === undefined || moved.times.length === 0) return 0;
  yield* rebuildStates(new UndoneStations([[station, { removed, rows: 0, values: 0, spans: [] }]]));
  yield* addRun(station, days, moved);
  return moved.times.length;
}

/** Stores moved rows as a run, which is the packed form of the rows of one commit. */
function* addRun(station: number, days: CachedState, rows: Series): ObservationOperation<void> {
  const series = dailySeriesOf(station);
  const { block, last } = yield* ask.lockState(station);
  const [first, end] = [rows.times[0] as number, rows.times.at(-1) as number];
  const key = [block, last + 1];
  const data = encodeRun(key, [{ station: series, from: 0, inserted: rows.times.length }], rows);
  const run = new Run(last + 1, key, data, true);
  yield* ask.insertRun({ block, run, first, last: end, data });
  // The state includes the run, so that the rows do not count as rows that must be checked again.
  days.state.advance(rows);
  days.revision = days.seen = run.id;
  days.rows += rows.times.length;
  days.first = Math.min(days.first, first);
  yield* ask.putStates(new Map([[series, days]]));
}

/** Takes the daily values out of rows. A row without any other value is removed. */
function divide(stored: Series): { readonly days: Series; readonly reverted: Reverted } {
  const { reports, days } = divideSeries(stored);
  const withDays = new Set(days.times);
  const kept = new Set(reports.times);
  const [first, last] = [days.times[0], days.times.at(-1)];
  return {
    days,
    reverted: {
      series: reports,
      touched: Uint8Array.from(reports.times, (time) => (withDays.has(time) ? 1 : 0)),
      removed: days.times.filter((time) => !kept.has(time)),
      takenBack: { rows: 0, values: 0 },
      overwritten: { rows: 0, values: 0 },
      span: first === undefined || last === undefined ? undefined : [first, last],
    },
  };
}
