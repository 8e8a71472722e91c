import type { Station } from '../station.js';
import type { Statistics } from '../summaries/statistics.js';
import type { QuantityDescription } from './quantity.js';

export const PERIODS = ['hour', 'day'] as const;
export type PeriodLength = (typeof PERIODS)[number];

/** The statistics of one calendar hour or day. */
export interface Period {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly start: number;
  /** The end is not a part of the period. */
  readonly end: number;
  /** The statistics of a variable, by its number; undefined if too few of its values are known. */
  statistics(variable: number): Statistics | undefined;
}

export type PeriodSite = Pick<Station, 'latitude' | 'longitude' | 'elevation' | 'sensorHeights'>;

/** A quantity that is computed from the statistics of a calendar hour or day. The result is NaN as in `DerivedQuantity`. */
export interface PeriodQuantity extends QuantityDescription {
  /**
   * Returns a function that computes the quantity of a period at a station. The function must be called for the periods in
   * order of time.
   */
  begin(length: PeriodLength, site: PeriodSite): (period: Period) => number;
}
