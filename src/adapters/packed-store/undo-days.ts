import { MILLISECONDS } from '#domain/time.js';
import { STEP_REACH } from '#domain/weather/quality-control.js';
import { lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { StationState } from '#domain/weather/station-state.js';
import type { CellChanges, Reverted } from '#domain/weather/undo/cell-changes.js';
import { dayOf } from '#adapters/formats/packed/chunk-key.js';
import type { DayRows } from './chunks/station-chunks.js';
import { type CachedState, noteUnchecked } from './station-states.js';

type Span = readonly [from: number, to: number];

/**
 * The first and the last UTC day whose rows are needed to undo some changes of a station. They include the rows a few hours
 * before and after the changes, because the quality control compares successive values.
 */
export function daysAround({ times }: CellChanges): readonly [first: number, last: number] {
  return [dayOf((times[0] as number) - STEP_REACH), dayOf((times.at(-1) as number) + STEP_REACH)];
}

/**
 * The UTC days on which an undo has changed or removed rows, in ascending order. Each day comes with all rows that it has after
 * the undo.
 */
export function changedDays({ series, touched, removed, span }: Reverted): DayRows[] {
  if (span === undefined) return [];
  const days = new Set(Array.from(removed, dayOf));
  for (const [row, isTouched] of touched.entries())
    if (isTouched === 1) days.add(dayOf(series.times[row] as number));
  return [...days]
    .sort((a, b) => a - b)
    .map((day) => {
      const [midnight, end] = [day * MILLISECONDS.day, (day + 1) * MILLISECONDS.day];
      return [day, sliceSeries(series, lowerBound(series.times, midnight), lowerBound(series.times, end))];
    });
}

/** The changes of an undo at one station. */
export interface StationUndo {
  /** Number of removed rows. */
  removed: number;
  /** Number of rows with reverted values. */
  rows: number;
  /** Number of reverted values. */
  values: number;
  readonly spans: Span[];
}

/** The changes of an undo, by station. */
export class UndoneStations extends Map<number, StationUndo> {
  note(station: number, { span, removed, takenBack }: Reverted): void {
    if (span === undefined) return;
    const undo = this.get(station) ?? { removed: 0, rows: 0, values: 0, spans: [] };
    this.set(station, undo);
    undo.removed += removed.length;
    undo.rows += takenBack.rows;
    undo.values += takenBack.values;
    undo.spans.push(span);
  }
}

/**
 * Computes the state of a station again, after an undo has changed rows. The state consists of the newest values and of totals,
 * such as the number of rows.
 *
 * The rows of a station are stored in chunks of 1, 8 or 64 days. To save time, the state is computed from a few chunks and not
 * from the whole history:
 *
 * - the oldest chunk, which has the time of the first row
 * - for each variable, the newest chunk with a value of this variable
 * - the newest chunk, and the chunk with the day before it. Quality control compares the next values that arrive with the values
 *   in these two chunks
 *
 * @param before the state before the undo. This state has all variables that can still have a value
 * @param undo the changes of the undo
 * @param revision revision of the new state
 * @param stored all rows of these chunks, in ascending order
 */
export function rebuiltState(
  before: CachedState,
  undo: StationUndo,
  revision: number,
  stored: readonly Series[],
): CachedState {
  const state = new StationState();
  for (const series of stored) state.advance(series);
  const rebuilt = {
    ...before,
    state,
    revision,
    seen: revision,
    rows: before.rows - undo.removed,
    first: stored[0]?.times[0] ?? Infinity,
    chunksEnd: state.lastSeen,
  };
  for (const [first, last] of undo.spans) noteUnchecked(rebuilt, first, last);
  return rebuilt;
}
