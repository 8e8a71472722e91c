import type { Series } from '../series.js';
import type { StationRules } from './station-rules.js';

/** A station near the checked station, with its rows of the same time. */
export interface Neighbor {
  /** Distance to the checked station in meters. */
  readonly distance: number;
  /** Elevation of the neighbor minus elevation of the checked station, in meters; null if an elevation is unknown. */
  readonly higher: number | null;
  /** Rows of the neighbor from `CHECK_REACH` before the checked range to `CHECK_REACH` after it. */
  readonly series: Series;
  readonly rules: StationRules;
}
