import type { Station } from '../station.js';
import type { Statistics } from '../summaries/statistics.js';
import type { QuantityDescription } from './quantity.js';

export const PERIODS = ['hour', 'day'] as const;
export type PeriodLength = (typeof PERIODS)[number];

/** The statistics of one calendar hour or day. */
export interface Period {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly start: number;
  /** Not included. */
  readonly end: number;
  /** The statistics of a variable, by its number; undefined if too few of its values are known. */
  statistics(variable: number): Statistics | undefined;
}

export type PeriodSite = Pick<Station, 'latitude' | 'longitude' | 'elevation' | 'sensorHeights'>;

/** A quantity of a calendar hour or day, which needs means and extremes of it. NaN as in `DerivedQuantity`. */
export interface PeriodQuantity extends QuantityDescription {
  /** Returns the function that computes the periods of a station, to be called in order of time. */
  begin(length: PeriodLength, place: PeriodSite): (period: Period) => number;
}
