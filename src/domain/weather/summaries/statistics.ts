/** The summary of a variable over a period. Fields without a value are NaN. Times are in ms since 1970-01-01T00:00:00Z. */
export interface Statistics {
  readonly count: number;
  readonly min: number;
  readonly minTime: number;
  readonly max: number;
  readonly maxTime: number;
  /** For a direction: the direction of the resultant wind. */
  readonly mean: number;
  readonly sum: number;
  /** Milliseconds that the values cover (coverage.ts). */
  readonly covered: number;
  /** Whether each value in the mean is weighted with the time that it covers. */
  readonly isWeighted: boolean;
  /** For radiation: the mean multiplied by `covered`. This is the integral over the covered time, in W/m² × milliseconds. */
  readonly integral: number | undefined;
  /** For gusts: the direction of the largest gust. */
  readonly maxDirection: number | undefined;
  /** Defined only for directions. */
  readonly wind: WindStatistics | undefined;
  /** Defined only for precipitation. */
  readonly rain: RainStatistics | undefined;
}

export interface WindStatistics {
  /** The speed of the resultant wind, in m/s. */
  readonly vectorSpeed: number;
  /** The prevailing sector, from which the wind came for the longest time: 0 to 15, clockwise from north. */
  readonly sector: number;
}

export interface RainStatistics {
  /** The largest amount in an hour within one day, and the end of the hour. */
  readonly hourMax: number;
  readonly hourMaxTime: number;
  /** For several days: the largest amount in 24 consecutive clock hours, and the end of these hours. */
  readonly dayMax: number;
  readonly dayMaxTime: number;
  /** Whether all amounts have intervals of at most an hour. Otherwise the amounts of single hours are unknown. */
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
