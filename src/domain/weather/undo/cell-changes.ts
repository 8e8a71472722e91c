import { recheck, newTail, STEP_REACH } from '../quality-control.js';
import type { StationRules } from '../quality/station-rules.js';
import { selectRows } from '../row-order.js';
import { lowerBound, type Series } from '../series.js';

/**
 * Values of one station that a write has changed, in columns. A cell is the value of one variable at one time.
 *
 *   time         00:00      00:10      00:20
 *   stored       20.1       20.3       -
 *   sent         20.1       20.4       20.8
 *   ----------------------------------------
 *   after                   20.4       20.8
 *   before                  20.3       -
 */
export interface CellChanges {
  /** Milliseconds since 1970-01-01T00:00:00Z, in ascending order. */
  readonly times: Float64Array;
  /** The written values by number of the variable; NaN for a cell that was not changed. */
  readonly after: ReadonlyMap<number, Float64Array>;
  /** The replaced values; NaN if there was no value. A column without any replaced value may be missing. */
  readonly before: ReadonlyMap<number, Float64Array>;
}

/** The cell changes of one station. */
export interface StationCells {
  readonly station: number;
  readonly cells: CellChanges;
}

/** The cells that change when `added` is written over `stored`. */
export function changedCells(stored: Series, added: Series): CellChanges {
  const { times } = added;
  const rowOf = Int32Array.from(times, (time) => rowAt(stored.times, time));
  const after = new Map<number, Float64Array>();
  const before = new Map<number, Float64Array>();
  const isChanged = new Uint8Array(times.length);
  for (const [variable, column] of added.values) {
    const old = stored.values.get(variable);
    const written = new Float64Array(times.length).fill(Number.NaN);
    const replaced = new Float64Array(times.length).fill(Number.NaN);
    let hasReplaced = false;
    for (let row = 0; row < times.length; row += 1) {
      const value = column[row] as number;
      const at = rowOf[row] as number;
      const oldValue = old === undefined || at < 0 ? Number.NaN : (old[at] as number);
      if (Number.isNaN(value) || Object.is(value, oldValue)) continue;
      isChanged[row] = 1;
      written[row] = value;
      replaced[row] = oldValue;
      hasReplaced ||= !Number.isNaN(oldValue);
    }
    after.set(variable, written);
    if (hasReplaced) before.set(variable, replaced);
  }
  const rows = Uint32Array.from(isChanged.keys()).filter((row) => isChanged[row] === 1);
  if (rows.length === times.length) return { times, after, before };
  const select = (values: ReadonlyMap<number, Float64Array>) =>
    selectRows({ times, values, flags: new Map() }, rows);
  const { times: changedTimes, values } = select(after);
  return { times: changedTimes, after: values, before: select(before).values };
}

/** Number of rows, and number of values in these rows. */
export interface CellCount {
  readonly rows: number;
  readonly values: number;
}

/** The result of reverting cell changes. */
export interface Reverted {
  /** The rows after the values were reverted. A row without any remaining value is missing. */
  readonly series: Series;
  /** For each row of `series`: 1 if its values or its flags may have changed. */
  readonly touched: Uint8Array;
  /** Times of the removed rows. */
  readonly removed: Float64Array;
  /** Cells that were reverted. */
  readonly takenBack: CellCount;
  /** Cells that were not reverted, because they no longer have the written value. */
  readonly overwritten: CellCount;
  /** Times of the first and the last row with a reverted value; undefined if no value was reverted. */
  readonly span: readonly [from: number, to: number] | undefined;
}

/**
 * Reverts changed cells. A cell that still has the written value gets its earlier value, or no value if it had none. The quality
 * of rows with such cells is checked again, as if the rows were written now. The same is true for the rows within `STEP_REACH` (3
 * hours) after them, because the step check compares a value with values up to `STEP_REACH` earlier.
 *
 *   time         00:00      00:10      00:20      00:30      00:40
 *   after                   20.4       20.8       9.9
 *   before                  20.3       -          -
 *   stored       20.1       20.4       20.8       21.0       21.1
 *   --------------------------------------------------------------
 *   series       20.1       20.3       (removed)  21.0       21.1
 *   touched      0          1                     1          1
 *
 * @param stored the rows of the station from `STEP_REACH` before the first cell to `STEP_REACH` after the last cell, or more rows
 */
export function revertCells(stored: Series, cells: CellChanges, rules: StationRules): Reverted {
  const values = new Map(stored.values);
  const columns = new Map(
    [...cells.after.keys()].map((variable) => [variable, values.get(variable)?.slice()]),
  );
  for (const [variable, column] of columns) if (column !== undefined) values.set(variable, column);
  const takenBack = { rows: 0, values: 0 };
  const overwritten = { rows: 0, values: 0 };
  const touched = new Uint8Array(stored.times.length);
  const isRemoved = new Uint8Array(stored.times.length);
  let span: [number, number] | undefined;
  for (let row = 0; row < cells.times.length; row += 1) {
    const time = cells.times[row] as number;
    const at = rowAt(stored.times, time);
    let [reverted, unchanged] = [0, 0];
    for (const [variable, after] of cells.after) {
      const written = after[row] as number;
      if (Number.isNaN(written)) continue;
      const column = columns.get(variable);
      if (at >= 0 && column !== undefined && Object.is(column[at], written)) {
        column[at] = cells.before.get(variable)?.[row] ?? Number.NaN;
        reverted += 1;
      } else unchanged += 1;
    }
    takenBack.values += reverted;
    overwritten.values += unchanged;
    if (unchanged > 0) overwritten.rows += 1;
    if (reverted === 0) continue;
    takenBack.rows += 1;
    span = [span?.[0] ?? time, time];
    touched[at] = 1;
    if (![...values.values()].some((column) => !Number.isNaN(column[at]))) isRemoved[at] = 1;
  }
  touchFollowing(stored.times, touched);
  const kept = Uint32Array.from(touched.keys()).filter((row) => isRemoved[row] === 0);
  const series = selectRows({ ...stored, values }, kept);
  const keptTouched = Uint8Array.from(kept, (row) => touched[row] as number);
  return {
    series: recheck(series, rules, newTail(), keptTouched),
    touched: keptTouched,
    removed: stored.times.filter((_time, row) => isRemoved[row] === 1),
    takenBack,
    overwritten,
    span,
  };
}

/** Splits cell changes, without copying, where two consecutive rows are more than `gap` milliseconds apart. */
export function* cellClusters({ times, after, before }: CellChanges, gap: number): Generator<CellChanges> {
  const slice = (columns: ReadonlyMap<number, Float64Array>, from: number, to: number) =>
    new Map([...columns].map(([variable, column]) => [variable, column.subarray(from, to)]));
  let from = 0;
  for (let to = 1; to <= times.length; to += 1) {
    if (to < times.length && (times[to] as number) - (times[to - 1] as number) <= gap) continue;
    yield { times: times.subarray(from, to), after: slice(after, from, to), before: slice(before, from, to) };
    from = to;
  }
}

/** Number of rows and of changed values. */
export function countCells({ times, after }: CellChanges): CellCount {
  let values = 0;
  for (const column of after.values()) for (const value of column) if (!Number.isNaN(value)) values += 1;
  return { rows: times.length, values };
}

/**
 * Sets `touched` also for the rows within `STEP_REACH` (3 hours) after each touched row. The step check, which compares a value
 * with an earlier value, may have compared these rows with the touched row. So these rows must be checked again.
 */
function touchFollowing(times: Float64Array, touched: Uint8Array): void {
  let until = -Infinity;
  for (let row = 0; row < times.length; row += 1) {
    const time = times[row] as number;
    if (touched[row] === 1) until = time + STEP_REACH;
    else if (time <= until) touched[row] = 1;
  }
}

/** The row with this time; -1 if no row has this time. */
function rowAt(times: Float64Array, time: number): number {
  const row = lowerBound(times, time);
  return times[row] === time ? row : -1;
}
