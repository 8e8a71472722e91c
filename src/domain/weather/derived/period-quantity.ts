import type { Station } from '../station.js';
import type { Statistics } from '../summaries/statistics.js';
import type { QuantityDescription } from './quantity.js';

export const PERIODS = ['hour', 'day'] as const;
export type PeriodLength = (typeof PERIODS)[number];

/** The statistics of one calendar hour or day. */
export interface Period {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly start: number;
  /** End of the period, not included, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly end: number;
  /** The statistics of the variable with this number; undefined if too few values of the variable are known. */
  statistics(variable: number): Statistics | undefined;
}

export type PeriodSite = Pick<Station, 'latitude' | 'longitude' | 'elevation' | 'sensorHeights'>;

/**
 * A quantity that is computed from the statistics of a calendar hour or day. The result is NaN outside of the range of the
 * formula, and if an input is missing.
 */
export interface PeriodQuantity extends QuantityDescription {
  /**
   * Returns a function that computes the quantity of a period at a station. The function must be called for the periods in
   * order of time.
   */
  begin(length: PeriodLength, site: PeriodSite): (period: Period) => number;
}
