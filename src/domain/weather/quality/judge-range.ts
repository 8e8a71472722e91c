import { MILLISECONDS } from '../../time.js';
import { judge, newTail } from '../quality-control.js';
import type { Series } from '../series.js';
import type { StationRules } from './station-rules.js';

/** The verdicts of a range depend on the values up to this many milliseconds before and after it. */
export const JUDGE_REACH = 3 * MILLISECONDS.hour;

/** A station near another one, with its values of the same time. */
export interface Neighbour {
  /** Metres. */
  readonly distance: number;
  /** Metres by which it is higher, or null if one of the elevations is unknown. */
  readonly higher: number | null;
  /** Its rows from `JUDGE_REACH` before the range to `JUDGE_REACH` after it. */
  readonly series: Series;
  readonly rules: StationRules;
}

/**
 * Judges the rows of a station in `[from, to)` once their neighbours in time are stored: the final verdict, which depends on
 * the values alone and not on the order in which they arrived.
 *
 * @param series the rows from `JUDGE_REACH` before `from` to `JUDGE_REACH` after `to`. Its flags are not used.
 * @param neighbours stations nearby
 * @returns flags by number of the variable, for each row of `series`; those outside `[from, to)` mean nothing
 */
export function judgeRange(
  series: Series,
  _range: { readonly from: number; readonly to: number },
  rules: StationRules,
  _neighbours: readonly Neighbour[],
): ReadonlyMap<number, Uint8Array> {
  return judge(series, rules, newTail()).flags;
}
