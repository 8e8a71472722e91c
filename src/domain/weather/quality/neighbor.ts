import type { Series } from '../series.js';
import type { StationRules } from './station-rules.js';

/** A station near another one, with its values of the same time. */
export interface Neighbor {
  /** Meters. */
  readonly distance: number;
  /** Meters by which it is higher, or null if one of the elevations is unknown. */
  readonly higher: number | null;
  /** Its rows from `JUDGE_REACH` before the range to `JUDGE_REACH` after it. */
  readonly series: Series;
  readonly rules: StationRules;
}
