/**
 * A scalar Kalman filter for the bias of a forecast: Homleid (1995), Weather and Forecasting 10. The error of the forecast is the
 * measured quantity, and its bias follows a random walk. Variances are in units of the variance of the errors, so that the filter needs
 * no other setting than the share by which the bias changes from case to case.
 */
export interface BiasFilter {
  /** The bias, in the unit of the errors. */
  readonly bias: number;
  /** Variance of the bias. */
  readonly variance: number;
}

export const UNKNOWN_BIAS: BiasFilter = { bias: 0, variance: 1 };

/** Variance of the change of the bias from case to case. The gain is then 0.13 in the long run, a memory of 7 cases. */
const CHANGE = 0.02;

/** The filter after one more error. */
export function withError({ bias, variance }: BiasFilter, error: number): BiasFilter {
  const prior = variance + CHANGE;
  const gain = prior / (prior + 1);
  return { bias: bias + gain * (error - bias), variance: prior * (1 - gain) };
}

/** The filter after a change of the station or of the model: it keeps its bias, and learns as fast as a new one. */
export function unsure({ bias }: BiasFilter): BiasFilter {
  return { bias, variance: UNKNOWN_BIAS.variance };
}
