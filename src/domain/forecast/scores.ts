/**
 * Sums of the errors of one forecast of one variable and class of leads. They can be added, so that months make a year. There are
 * millions of errors, so the functions of this file add to sums in place.
 */
export interface ErrorSums {
  count: number;
  /** Sum of the errors, of their absolute values and of their squares. */
  sum: number;
  absolute: number;
  square: number;
  /** Number of errors of at most 2 units. */
  near: number;
}

export const noErrorSums = (): ErrorSums => ({ count: 0, sum: 0, absolute: 0, square: 0, near: 0 });
/** Largest error of a hit, in the unit of the variable: 2 °C. */
const NEAR = 2;

export function addError(sums: ErrorSums, forecast: number, observed: number): void {
  const error = forecast - observed;
  sums.count += 1;
  sums.sum += error;
  sums.absolute += Math.abs(error);
  sums.square += error * error;
  if (Math.abs(error) <= NEAR) sums.near += 1;
}

/** Sums over the bounds of a forecast. */
export interface BoundSums {
  count: number;
  /** Number of outcomes between the bounds. */
  inside: number;
  /** Sum of the continuous ranked probability scores, in the unit of the variable. */
  crps: number;
}

export const noBoundSums = (): BoundSums => ({ count: 0, inside: 0, crps: 0 });

/** Half of the distance of the bounds of 10 % and 90 % of a normal distribution, in standard deviations. */
export const NINETY_PERCENT = 1.281_551_565_544_8;

/** @param value the published value, in the middle of its bounds */
export function addBounds(
  sums: BoundSums,
  { value, low, high }: { readonly value: number; readonly low: number; readonly high: number },
  observed: number,
): void {
  const deviation = (high - low) / 2 / NINETY_PERCENT;
  sums.count += 1;
  if (observed >= low && observed <= high) sums.inside += 1;
  sums.crps += crpsOfNormal(value, deviation, observed);
}

/**
 * The continuous ranked probability score of a normal distribution: Gneiting et al. (2005), Monthly Weather Review 133, equation 5. The
 * absolute error if the deviation is 0.
 */
export function crpsOfNormal(mean: number, deviation: number, observed: number): number {
  if (deviation <= 0) return Math.abs(observed - mean);
  const z = (observed - mean) / deviation;
  const density = Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI);
  return deviation * (z * (2 * normalProbability(z) - 1) + 2 * density - 1 / Math.sqrt(Math.PI));
}

/** A value of a standard normal distribution that is never exceeded in double precision. */
const FARTHEST = 8.5;

/** The probability that a standard normal value is at most `z`, to 15 digits: Marsaglia (2004), Journal of Statistical Software 11 (4). */
export function normalProbability(z: number): number {
  if (Math.abs(z) > FARTHEST) return z > 0 ? 1 : 0;
  let [sum, before, term] = [z, 0, z];
  for (let factor = 3; sum !== before; factor += 2) {
    before = sum;
    term *= (z * z) / factor;
    sum += term;
  }
  return 0.5 + (sum * Math.exp(-(z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Number of bins of the reliability of chances. */
export const BINS = 10;

/** Sums over the chances of an event: rain, frost. */
export interface ChanceSums {
  count: number;
  /** Sum of the squared differences of chance and outcome. */
  brier: number;
  /** Events with a chance of at least 50 %, events with less, and no events with a chance of at least 50 %. */
  hits: number;
  misses: number;
  falseAlarms: number;
  /** For each tenth of chances: the number of chances, their sum, and the number of events. */
  readonly bins: [count: number, chances: number, events: number][];
}

export const noChanceSums = (): ChanceSums => ({
  count: 0,
  brier: 0,
  hits: 0,
  misses: 0,
  falseAlarms: 0,
  bins: Array.from({ length: BINS }, () => [0, 0, 0]),
});

/** @param chance from 0 to 1 */
export function addChance(sums: ChanceSums, chance: number, hasHappened: boolean): void {
  const [isExpected, outcome] = [chance >= 0.5, hasHappened ? 1 : 0];
  sums.count += 1;
  sums.brier += (chance - outcome) ** 2;
  if (isExpected && hasHappened) sums.hits += 1;
  if (!isExpected && hasHappened) sums.misses += 1;
  if (isExpected && !hasHappened) sums.falseAlarms += 1;
  const bin = sums.bins[Math.min(BINS - 1, Math.floor(chance * BINS))];
  if (bin === undefined) return;
  bin[0] += 1;
  bin[1] += chance;
  bin[2] += outcome;
}
