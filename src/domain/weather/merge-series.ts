import { judge, newTail, type StationRules } from './quality-control.js';
import { selectRows, type StationPart } from './row-order.js';
import { EMPTY_SERIES, type Series } from './series.js';

/** What became of the rows that were written. */
export interface WriteCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** A sum of counts while rows are being written. */
export type WriteTotal = { -readonly [K in keyof WriteCounts]: number };

/** Adds what became of further rows to a total. */
export function addWritten(total: WriteTotal, { inserted, updated, unchanged }: WriteCounts): void {
  total.inserted += inserted;
  total.updated += updated;
  total.unchanged += unchanged;
}

/** What became of a row that was merged with stored ones. */
export const ROW_OUTCOME = { unchanged: 0, updated: 1, inserted: 2 } as const;

export interface Merged extends WriteCounts {
  readonly series: Series;
  /** For each row of `series`: 1 if `added` inserted or changed it, otherwise 0. */
  readonly touched: Uint8Array;
  /** For each row of `added` its `ROW_OUTCOME`. */
  readonly rowOutcomes: Uint8Array;
}

/**
 * Merges `added` into `base`. A value that `added` has replaces the one that `base` has; where `added` has none (NaN), that
 * of `base` stays. Flags of quality control move with their values.
 */
export function mergeSeries(base: Series, added: Series): Merged {
  const { times, fromBase, fromAdded } = interleave(base.times, added.times);
  const touched = new Uint8Array(times.length);
  const changed = new Uint8Array(times.length);
  const values = new Map<number, Float64Array>();
  const flags = new Map<number, Uint8Array>();
  for (const variable of new Set([...base.values.keys(), ...added.values.keys()])) {
    const [old, oldFlags] = [base.values.get(variable), base.flags.get(variable)];
    const [given, givenFlags] = [added.values.get(variable), added.flags.get(variable)];
    const column = new Float64Array(times.length);
    const bytes = new Uint8Array(times.length);
    let flagged = false;
    for (let row = 0; row < times.length; row += 1) {
      const before = fromBase[row] as number;
      const after = fromAdded[row] as number;
      let value = before < 0 || old === undefined ? Number.NaN : (old[before] as number);
      let flag = before < 0 || oldFlags === undefined ? 0 : (oldFlags[before] as number);
      const sent = after < 0 || given === undefined ? Number.NaN : (given[after] as number);
      if (!Number.isNaN(sent)) {
        if (!Object.is(sent, value)) changed[row] = 1;
        value = sent;
        flag = givenFlags === undefined ? 0 : (givenFlags[after] as number);
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
    const after = fromAdded[row] as number;
    if (after < 0) continue;
    if ((fromBase[row] as number) < 0) rowOutcomes[after] = ROW_OUTCOME.inserted;
    else if (changed[row] === 1) rowOutcomes[after] = ROW_OUTCOME.updated;
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
 * As `mergeSeries`, and judges the rows that say something new; the others keep their flags. Of rows with the same time one
 * is inserted, updated or unchanged, and the others count as unchanged.
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
    series: judge(series, rules, newTail(), touched),
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
  /** For each row of the result its row in the base and in the added series, or -1. */
  readonly fromBase: Int32Array;
  readonly fromAdded: Int32Array;
}

function interleave(base: Float64Array, added: Float64Array): Interleaved {
  const most = base.length + added.length;
  const times = new Float64Array(most);
  const fromBase = new Int32Array(most).fill(-1);
  const fromAdded = new Int32Array(most).fill(-1);
  let [left, right, length] = [0, 0, 0];
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

/** Merges series. Where several have a value for the same time, the last series wins. */
export function mergeAll(series: readonly Series[]): Series {
  const rising = series.filter(({ times }) => times.length > 0);
  const apart = rising.every(
    ({ times }, index) => index === 0 || (rising[index - 1]?.times.at(-1) as number) < (times[0] as number),
  );
  if (apart) return concatenate(rising);
  return rising.reduce((base, added) => mergeSeries(base, added).series, EMPTY_SERIES);
}

/** Joins series whose times follow each other. */
export function concatenate(series: readonly Series[]): Series {
  const [only] = series;
  if (only !== undefined && series.length === 1) return only;
  const rows = series.reduce((sum, { times }) => sum + times.length, 0);
  const times = new Float64Array(rows);
  const values = new Map<number, Float64Array>();
  const flags = new Map<number, Uint8Array>();
  let at = 0;
  for (const part of series) {
    times.set(part.times, at);
    for (const [variable, column] of part.values) {
      let whole = values.get(variable);
      if (whole === undefined) values.set(variable, (whole = new Float64Array(rows).fill(Number.NaN)));
      whole.set(column, at);
    }
    for (const [variable, column] of part.flags) {
      let whole = flags.get(variable);
      if (whole === undefined) flags.set(variable, (whole = new Uint8Array(rows)));
      whole.set(column, at);
    }
    at += part.times.length;
  }
  return { times, values, flags };
}

/** Columns that are filled with rows of several series. */
export interface GrowingSeries extends Series {
  readonly values: Map<number, Float64Array>;
  readonly flags: Map<number, Uint8Array>;
}

export function emptySeries(rows: number): GrowingSeries {
  return { times: new Float64Array(rows), values: new Map(), flags: new Map() };
}

/**
 * Copies the rows from `from` to `to` (not included) to `at` in longer columns, which are made where there are none. In
 * loops: where it is a few rows a view for each of their columns would cost more than they do.
 */
export function copyRows(source: Series, from: number, to: number, target: GrowingSeries, at: number): void {
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
