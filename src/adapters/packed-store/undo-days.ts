import { MILLISECONDS } from '../../domain/time.js';
import { concatenate } from '../../domain/weather/merge-series.js';
import { STEP_REACH } from '../../domain/weather/quality-control.js';
import type { StationRules } from '../../domain/weather/quality/station-rules.js';
import { lowerBound, type Series, sliceSeries } from '../../domain/weather/series.js';
import { StationState } from '../../domain/weather/station-state.js';
import { type CellChanges, revertCells, type Reverted } from '../../domain/weather/undo/cell-changes.js';
import { dayOf } from '../formats/packed/chunk-key.js';
import { type CachedState, noteUnjudged } from './station-states.js';

type Span = readonly [from: number, to: number];

/** The UTC days whose rows are needed to take back a cluster of cells, rising. */
export function daysAround({ times }: CellChanges): number[] {
  const first = dayOf((times[0] as number) - STEP_REACH);
  const last = dayOf((times.at(-1) as number) + STEP_REACH);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

export interface RevertedDays {
  readonly reverted: Reverted;
  /** The days with changed rows, and all rows that are left of them. */
  readonly changed: readonly (readonly [day: number, series: Series])[];
}

/**
 * Takes back a cluster of cells.
 *
 * @param days as `daysAround` returns them
 * @param stored the rows of these days
 */
export function revertDays(
  days: readonly number[],
  stored: readonly (Series | undefined)[],
  cells: CellChanges,
  rules: StationRules,
): RevertedDays {
  const reverted = revertCells(concatenate(stored.filter((series) => series !== undefined)), cells, rules);
  const changed: [number, Series][] = [];
  if (reverted.span === undefined) return { reverted, changed };
  const { series, touched, removed } = reverted;
  for (const day of days) {
    const [midnight, end] = [day * MILLISECONDS.day, (day + 1) * MILLISECONDS.day];
    const [from, to] = [lowerBound(series.times, midnight), lowerBound(series.times, end)];
    const hasRemoved = lowerBound(removed, midnight) < lowerBound(removed, end);
    if (hasRemoved || touched.subarray(from, to).includes(1))
      changed.push([day, sliceSeries(series, from, to)]);
  }
  return { reverted, changed };
}

/** What an undo has changed of a station. */
export interface StationUndo {
  /** Number of removed rows. */
  removed: number;
  readonly spans: Span[];
}

/** What an undo has changed, by station. */
export class UndoneStations extends Map<number, StationUndo> {
  note(station: number, { span, removed }: Reverted): void {
    if (span === undefined) return;
    const undo = this.get(station) ?? { removed: 0, spans: [] };
    this.set(station, undo);
    undo.removed += removed.length;
    undo.spans.push(span);
  }
}

/**
 * Computes the state of a station again after rows were changed in chunks, without reading the whole history.
 *
 * @param before the state as it was. It has all variables that can still have a value
 * @param undo what was changed
 * @param revision of the new state
 * @param oldest the rows of the oldest day; undefined if there are no rows
 * @param newest the rows of the newest day with each variable, and of the last two days, because the step check compares
 *   the next values with values in them. In rising order
 */
export function rebuiltState(
  before: CachedState,
  undo: StationUndo,
  revision: number,
  oldest: Series | undefined,
  newest: readonly Series[],
): CachedState {
  const state = new StationState();
  for (const series of newest) state.advance(series);
  const rebuilt = {
    ...before,
    state,
    revision,
    seen: revision,
    rows: before.rows - undo.removed,
    first: oldest?.times[0] ?? Infinity,
    chunksEnd: state.lastSeen,
  };
  for (const [first, last] of undo.spans) noteUnjudged(rebuilt, first, last);
  return rebuilt;
}
