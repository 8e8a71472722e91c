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
  /** Of radiation: the mean times `covered`, which is the integral over the known time, in W/m² times milliseconds. */
  readonly integral: number | undefined;
  /** Of gusts: the direction of the largest one. */
  readonly maxDirection: number | undefined;
  /** Of directions. */
  readonly wind: WindStatistics | undefined;
  /** Of precipitation. */
  readonly rain: RainStatistics | undefined;
}

export interface WindStatistics {
  /** The speed of the resultant wind, in m/s. */
  readonly vectorSpeed: number;
  /** The one of 16 sectors, clockwise from north, from which the wind came for the longest time. */
  readonly sector: number;
}

export interface RainStatistics {
  /** The largest amount in an hour of one day, and the end of that hour. */
  readonly hourMax: number;
  readonly hourMaxTime: number;
  /** Of several days: the largest amount in 24 successive clock hours, and their end. */
  readonly dayMax: number;
  readonly dayMaxTime: number;
  /** Whether no amount is over more than an hour. Such an amount says nothing about an hour, and its hours in a day are unknown. */
  readonly isHourly: boolean;
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
  integral: undefined,
  maxDirection: undefined,
  wind: undefined,
  rain: undefined,
};
