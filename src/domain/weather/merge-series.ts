import { recheck, newTail } from './quality-control.js';
import type { StationRules } from './quality/station-rules.js';
import { selectRows, type StationPart } from './row-order.js';
import { EMPTY_SERIES, type Series } from './series.js';

/** Number of written rows by their outcome. */
export interface WriteCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** A sum of counts that increases while rows are written. */
export type WriteTotal = { -readonly [K in keyof WriteCounts]: number };

/** Adds the outcomes of further rows to a total. */
export function addWritten(total: WriteTotal, { inserted, updated, unchanged }: WriteCounts): void {
  total.inserted += inserted;
  total.updated += updated;
  total.unchanged += unchanged;
}

/** The outcome of a row that was merged with stored rows. */
export const ROW_OUTCOME = { unchanged: 0, updated: 1, inserted: 2 } as const;

export interface Merged extends WriteCounts {
  readonly series: Series;
  /** For each row of `series`: 1 if `added` inserted or changed it, otherwise 0. */
  readonly touched: Uint8Array;
  /** For each row of `added` its `ROW_OUTCOME`. */
  readonly rowOutcomes: Uint8Array;
}

/**
 * Merges `added` into `base`. A value of `added` replaces the value of `base` at the same time. Where `added` has no
 * value (NaN), the value of `base` stays. Flags stay with their values.
 *
 *   time         00:00      00:10      00:20      00:30
 *   base         20.1       20.3       20.5       -
 *   added        -          20.4       20.5       20.8
 *   ------------------------------------------------------
 *   series       20.1       20.4       20.5       20.8
 *   touched      0          1          0          1
 *   rowOutcomes             updated    unchanged  inserted
 */
export function mergeSeries(base: Series, added: Series): Merged {
  const { times, fromBase, fromAdded } = interleave(base.times, added.times);
  const touched = new Uint8Array(times.length);
  const changed = new Uint8Array(times.length);
  const values = new Map<number, Float64Array>();
  const flags = new Map<number, Uint8Array>();
  for (const variable of new Set([...base.values.keys(), ...added.values.keys()])) {
    const [baseColumn, baseFlags] = [base.values.get(variable), base.flags.get(variable)];
    const [addedColumn, addedFlags] = [added.values.get(variable), added.flags.get(variable)];
    const column = new Float64Array(times.length);
    const bytes = new Uint8Array(times.length);
    let flagged = false;
    for (let row = 0; row < times.length; row += 1) {
      const baseRow = fromBase[row] as number;
      const addedRow = fromAdded[row] as number;
      let value = baseRow < 0 || baseColumn === undefined ? Number.NaN : (baseColumn[baseRow] as number);
      let flag = baseRow < 0 || baseFlags === undefined ? 0 : (baseFlags[baseRow] as number);
      const sent = addedRow < 0 || addedColumn === undefined ? Number.NaN : (addedColumn[addedRow] as number);
      if (!Number.isNaN(sent)) {
        if (!Object.is(sent, value)) changed[row] = 1;
        value = sent;
        flag = addedFlags === undefined ? 0 : (addedFlags[addedRow] as number);
      }
      column[row] = value;
      bytes[row] = flag;
      flagged ||= flag !== 0;
    }
    values.set(variable, column);
    if (flagged) flags.set(variable, bytes);
  }
  const rowOutcomes = new Uint8Array(added.times.length);
  for (let row = 0; row < times.length; row += 1) {
    const addedRow = fromAdded[row] as number;
    if (addedRow < 0) continue;
    if ((fromBase[row] as number) < 0) rowOutcomes[addedRow] = ROW_OUTCOME.inserted;
    else if (changed[row] === 1) rowOutcomes[addedRow] = ROW_OUTCOME.updated;
    else continue;
    touched[row] = 1;
  }
  return { series: { times, values, flags }, touched, rowOutcomes, ...countOutcomes(rowOutcomes) };
}

function countOutcomes(rowOutcomes: Uint8Array): WriteCounts {
  const counts = [0, 0, 0] as [number, number, number];
  for (const outcome of rowOutcomes) (counts[outcome] as number) += 1;
  const [unchanged, updated, inserted] = counts;
  return { inserted, updated, unchanged };
}

/**
 * Merges like `mergeSeries`, and checks the quality of the inserted and updated rows. The other stored rows keep their flags.
 *
 * Rows of a batch with the same time were already merged into one row. This row is counted as inserted, updated or unchanged. The
 * rows that were merged into it (`folded`) are counted as unchanged.
 */
export function writeSeries(
  base: Series,
  { series: added, folded }: StationPart,
  rules: StationRules,
): Merged {
  const merged = mergeSeries(base, added);
  const { series, touched } =
    merged.unchanged === 0 ? merged : mergeSeries(base, changedRows(added, merged.rowOutcomes));
  return {
    ...merged,
    unchanged: merged.unchanged + folded,
    touched,
    series: recheck(series, rules, newTail(), touched),
  };
}

/** The rows that were inserted or updated. */
function changedRows(added: Series, rowOutcomes: Uint8Array): Series {
  return pickRows(
    added,
    rowOutcomes.map((outcome) => (outcome === ROW_OUTCOME.unchanged ? 0 : 1)),
  );
}

interface Interleaved {
  readonly times: Float64Array;
  /**
   * For each row of the merged series, its row number in the base series; -1 if it is not a row of the base series. `fromAdded`
   * has the same for the added series.
   */
  readonly fromBase: Int32Array;
  readonly fromAdded: Int32Array;
}

function interleave(base: Float64Array, added: Float64Array): Interleaved {
  const maxRows = base.length + added.length;
  const times = new Float64Array(maxRows);
  const fromBase = new Int32Array(maxRows).fill(-1);
  const fromAdded = new Int32Array(maxRows).fill(-1);
  let left = 0;
  let right = 0;
  let length = 0;
  while (left < base.length || right < added.length) {
    const a = left < base.length ? (base[left] as number) : Infinity;
    const b = right < added.length ? (added[right] as number) : Infinity;
    times[length] = Math.min(a, b);
    if (a <= b) fromBase[length] = left++;
    if (b <= a) fromAdded[length] = right++;
    length += 1;
  }
  return {
    times: times.subarray(0, length),
    fromBase: fromBase.subarray(0, length),
    fromAdded: fromAdded.subarray(0, length),
  };
}

/** Merges series. If several series have a value for the same time, the value of the last of these series is used. */
export function mergeAll(series: readonly Series[]): Series {
  const nonEmpty = series.filter(({ times }) => times.length > 0);
  const disjoint = nonEmpty.every(
    ({ times }, index) => index === 0 || (nonEmpty[index - 1]?.times.at(-1) as number) < (times[0] as number),
  );
  if (disjoint) return concatenate(nonEmpty);
  return nonEmpty.reduce((base, added) => mergeSeries(base, added).series, EMPTY_SERIES);
}

/** Joins series. Each series must end before the next series begins. */
export function concatenate(series: readonly Series[]): Series {
  const [first] = series;
  if (first !== undefined && series.length === 1) return first;
  const rows = series.reduce((sum, { times }) => sum + times.length, 0);
  const times = new Float64Array(rows);
  const values = new Map<number, Float64Array>();
  const flags = new Map<number, Uint8Array>();
  let at = 0;
  for (const part of series) {
    times.set(part.times, at);
    for (const [variable, column] of part.values) {
      let target = values.get(variable);
      if (target === undefined) values.set(variable, (target = new Float64Array(rows).fill(Number.NaN)));
      target.set(column, at);
    }
    for (const [variable, column] of part.flags) {
      let target = flags.get(variable);
      if (target === undefined) flags.set(variable, (target = new Uint8Array(rows)));
      target.set(column, at);
    }
    at += part.times.length;
  }
  return { times, values, flags };
}

/** A series whose columns are filled step by step. */
export interface GrowingSeries extends Series {
  readonly values: Map<number, Float64Array>;
  readonly flags: Map<number, Uint8Array>;
}

export function emptySeries(rows: number): GrowingSeries {
  return { times: new Float64Array(rows), values: new Map(), flags: new Map() };
}

/**
 * Copies the rows from `from` to `to` (not included) into the columns of `target`, beginning at row `at`. Missing columns
 * are created. Rows are copied in loops, because creating a view for each column costs more than copying a few rows.
 */
export function copySeriesRows(
  source: Series,
  from: number,
  to: number,
  target: GrowingSeries,
  at: number,
): void {
  const { times, values, flags } = target;
  copyColumn(source.times, from, to, times, at);
  for (const [variable, column] of source.values) {
    let into = values.get(variable);
    if (into === undefined) values.set(variable, (into = new Float64Array(times.length).fill(Number.NaN)));
    copyColumn(column, from, to, into, at);
  }
  for (const [variable, column] of source.flags) {
    let into = flags.get(variable);
    if (into === undefined) flags.set(variable, (into = new Uint8Array(times.length)));
    copyColumn(column, from, to, into, at);
  }
}

function copyColumn<T extends Float64Array | Uint8Array>(
  source: T,
  from: number,
  to: number,
  target: T,
  at: number,
): void {
  for (let row = from; row < to; row += 1) target[at + row - from] = source[row] as number;
}

/** The rows of `series` for which `chosen` is 1. */
export function pickRows(series: Series, chosen: Uint8Array): Series {
  const rows = Uint32Array.from(chosen.keys()).filter((row) => chosen[row] === 1);
  return rows.length === chosen.length ? series : selectRows(series, rows);
}
