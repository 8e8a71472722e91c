/** Observations of one station as columns. Times are unique and in ascending order. Values are float64; NaN if absent. */
export interface Series {
  /** Whole milliseconds since 1970-01-01T00:00:00Z. */
  readonly times: Float64Array;
  /** Columns by number of the variable. Each is as long as `times`. */
  readonly values: ReadonlyMap<number, Float64Array>;
  /**
   * Flags by number of the variable: a byte with the bits of `FLAG` for each row. A column may be missing if all of its values
   * passed.
   */
  readonly flags: ReadonlyMap<number, Uint8Array>;
}

/** Observations of several stations. Stores return them sorted by (station, time) and accept them in any order. */
export interface ObservationBatch extends Series {
  /** `Station.number` of each row. */
  readonly stations: Uint32Array;
}

/** The checks of quality control that a value did not pass, as bits. No bit is set for a value that passed. */
export const FLAG = {
  grossRange: 1,
  step: 2,
  consistency: 4,
  spike: 8,
  persistence: 16,
  neighbors: 32,
  overridden: 128,
} as const;

/** The names of the checks in replies. */
export const CHECKS: Readonly<Record<keyof typeof FLAG, string>> = {
  grossRange: 'gross_range',
  step: 'step',
  consistency: 'internal_consistency',
  spike: 'spike',
  persistence: 'persistence',
  neighbors: 'spatial_consistency',
  overridden: 'overruled',
};

export type Verdict = 'pass' | 'suspect' | 'fail';

/**
 * The verdict that follows from the flags of a value: `pass` if no flag is set. `fail` for a value outside of its gross limits,
 * or for a value that an administrator has declared bad (see `QualityOverride`). `suspect` if only other checks did not pass.
 */
export function verdictOf(flags: number): Verdict {
  if (flags === 0) return 'pass';
  return (flags & (FLAG.grossRange | FLAG.overridden)) === 0 ? 'suspect' : 'fail';
}

/** The names of the checks that a value did not pass. */
export function checksOf(flags: number): string[] {
  return (Object.keys(FLAG) as (keyof typeof FLAG)[])
    .filter((check) => (flags & FLAG[check]) !== 0)
    .map((check) => CHECKS[check]);
}

export const EMPTY_SERIES: Series = { times: new Float64Array(0), values: new Map(), flags: new Map() };

/** The first row from `from` to `to` (not included) whose time is `time` or later; `to` if there is no such row. */
export function lowerBound(times: Float64Array, time: number, from = 0, to = times.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows from `from` to `to` (not included), without a copy. */
export function sliceSeries({ times, values, flags }: Series, from: number, to: number): Series {
  return {
    times: times.subarray(from, to),
    values: new Map([...values].map(([variable, column]) => [variable, column.subarray(from, to)])),
    flags: new Map([...flags].map(([variable, column]) => [variable, column.subarray(from, to)])),
  };
}
