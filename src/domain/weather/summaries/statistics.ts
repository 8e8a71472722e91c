/** The summary of a variable over a time. Fields without a value are NaN. Times are in ms since 1970-01-01T00:00:00Z. */
export interface Statistics {
  readonly count: number;
  readonly min: number;
  readonly minTime: number;
  readonly max: number;
  readonly maxTime: number;
  /** Of a direction: that of the resultant wind. */
  readonly mean: number;
  readonly sum: number;
  /** Milliseconds for which the values stand (coverage.ts). */
  readonly covered: number;
  /** Whether each value in the mean is weighted with the time for which it stands. */
  readonly isWeighted: boolean;
  /** The mean times `covered`: the integral over the known time, in the unit of the variable times milliseconds. */
  readonly integral: number;
  /** Of a direction: the speed of the resultant wind, in m/s. */
  readonly vectorSpeed: number;
  /** Of a direction: the one of 16 sectors, clockwise from north, from which the wind came for the longest time. */
  readonly sector: number;
  /** Of gusts: the direction of the largest one. */
  readonly maxDirection: number;
  /** Of rain: the largest amount in an hour of one day, and the end of that hour. */
  readonly hourMax: number;
  readonly hourMaxTime: number;
  /** Of rain: the largest amount in 24 successive clock hours, and their end. */
  readonly dayMax: number;
  readonly dayMaxTime: number;
}

export const NO_STATISTICS: Statistics = {
  count: 0,
  min: Number.NaN,
  minTime: Number.NaN,
  max: Number.NaN,
  maxTime: Number.NaN,
  mean: Number.NaN,
  sum: Number.NaN,
  covered: 0,
  isWeighted: false,
  integral: Number.NaN,
  vectorSpeed: Number.NaN,
  sector: Number.NaN,
  maxDirection: Number.NaN,
  hourMax: Number.NaN,
  hourMaxTime: Number.NaN,
  dayMax: Number.NaN,
  dayMaxTime: Number.NaN,
};
