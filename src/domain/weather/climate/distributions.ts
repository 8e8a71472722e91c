/** Distributions that are fitted to samples by L-moments, and the standard normal distribution. */

/** The first L-moments of a sample: Hosking (1990), Journal of the Royal Statistical Society B 52. */
export interface LMoments {
  readonly mean: number;
  /** The second L-moment, half the mean difference of two values. */
  readonly scale: number;
  /** The ratio of the third to the second L-moment. */
  readonly skewness: number;
}

/** The L-moments of a sample, from its unbiased probability-weighted moments. @param values at least 3, in any order */
export function lMomentsOf(values: readonly number[]): LMoments {
  const sorted = values.toSorted((one, other) => one - other);
  const count = sorted.length;
  let [first, second, third] = [0, 0, 0];
  for (const [rank, value] of sorted.entries()) {
    first += value;
    second += (value * rank) / (count - 1);
    third += (value * rank * (rank - 1)) / ((count - 1) * (count - 2));
  }
  const [b0, b1, b2] = [first / count, second / count, third / count] as const;
  const scale = 2 * b1 - b0;
  return { mean: b0, scale, skewness: (6 * b2 - 6 * b1 + b0) / scale };
}

/** A distribution function: the probability of a value that is not larger. */
export type Distribution = (value: number) => number;

/** Coefficients of the approximation of the shape: Hosking (1996), IBM Research Report RC 20525, routine PELGAM. */
const LOW = [-0.308, -0.058_12, 0.017_65] as const;
const HIGH = [0.7213, -0.5947, -2.1817, 1.2113] as const;

/** The gamma distribution of positive values with given L-moments. */
export function gammaDistribution({ mean, scale }: LMoments): Distribution {
  const variation = scale / mean;
  const low = Math.PI * variation ** 2;
  const high = 1 - variation;
  const shape =
    variation < 0.5
      ? (1 + LOW[0] * low) / (low * (1 + low * (LOW[1] + low * LOW[2])))
      : (high * (HIGH[0] + high * HIGH[1])) / (1 + high * (HIGH[2] + high * HIGH[3]));
  return (value) => (value <= 0 ? 0 : incompleteGamma(shape, (value * shape) / mean));
}

/** Smallest skewness for which the distribution differs from the symmetric one. */
const SYMMETRIC = 1e-6;

/**
 * The log-logistic distribution of three parameters with given L-moments, which Hosking calls the generalized logistic distribution.
 */
export function logLogisticDistribution({ mean, scale, skewness }: LMoments): Distribution {
  const shape = -skewness;
  if (Math.abs(shape) <= SYMMETRIC) return (value) => 1 / (1 + Math.exp(-(value - mean) / scale));
  const ratio = (shape * Math.PI) / Math.sin(shape * Math.PI);
  const width = scale / ratio;
  const location = mean - (width * (1 - ratio)) / shape;
  return (value) => {
    const argument = 1 - (shape * (value - location)) / width;
    if (argument <= 0) return shape < 0 ? 0 : 1;
    return 1 / (1 + Math.exp(Math.log(argument) / shape));
  };
}

/** Coefficients of Lanczos (1964) for g = 7, as in Press et al., Numerical Recipes, and in the GNU Scientific Library. */
const LANCZOS = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 0.000_009_984_369_578_019_572,
  1.505_632_735_149_311_6e-7,
];

/** The logarithm of the gamma function. @param shape above 0 */
export function logGamma(shape: number): number {
  if (shape < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * shape)) - logGamma(1 - shape);
  const base = shape - 1;
  const sum = LANCZOS.reduce((total, one, index) => (index === 0 ? one : total + one / (base + index)), 0);
  const middle = base + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (base + 0.5) * Math.log(middle) - middle + Math.log(sum);
}

/** Most terms of a series or a fraction. Shapes of amounts of rain need fewer than 100. */
const MAX_TERMS = 10_000;
const TINY = 1e-300;

/** The regularized lower incomplete gamma function: a series, or its complement as a continued fraction (DLMF 8.11 and 8.9). */
function incompleteGamma(shape: number, value: number): number {
  const factor = Math.exp(shape * Math.log(value) - value - logGamma(shape));
  if (value < shape + 1) {
    let [term, sum] = [1 / shape, 1 / shape];
    for (let next = 1; next < MAX_TERMS && term > sum * Number.EPSILON; next += 1) {
      term *= value / (shape + next);
      sum += term;
    }
    return factor * sum;
  }
  let denominator = value + 1 - shape;
  let [ratio, inverse] = [1 / TINY, 1 / denominator];
  let fraction = inverse;
  for (let next = 1; next < MAX_TERMS; next += 1) {
    const numerator = -next * (next - shape);
    denominator += 2;
    inverse = 1 / notZero(numerator * inverse + denominator);
    ratio = notZero(denominator + numerator / ratio);
    const change = inverse * ratio;
    fraction *= change;
    if (Math.abs(change - 1) < Number.EPSILON) break;
  }
  return 1 - factor * fraction;
}

const notZero = (value: number) => (Math.abs(value) < TINY ? TINY : value);

/** Coefficients of Wichura (1988), Applied Statistics 37, algorithm AS 241, PPND16: numerators and denominators of three ranges. */
const CENTER = {
  over: [
    2509.080_928_730_122_7, 33_430.575_583_588_13, 67_265.770_927_008_7, 45_921.953_931_549_87,
    13_731.693_765_509_46, 1971.590_950_306_551_3, 133.141_667_891_784_38, 3.387_132_872_796_366_5,
  ],
  under: [
    5226.495_278_852_855, 28_729.085_735_721_943, 39_307.895_800_092_71, 21_213.794_301_586_597,
    5394.196_021_424_751, 687.187_007_492_057_9, 42.313_330_701_600_91, 1,
  ],
};
const SIDE = {
  over: [
    0.000_774_545_014_278_341_4, 0.022_723_844_989_269_184, 0.241_780_725_177_450_6, 1.270_458_252_452_368_4,
    3.647_848_324_763_204_5, 5.769_497_221_460_691, 4.630_337_846_156_546, 1.423_437_110_749_683_5,
  ],
  under: [
    1.050_750_071_644_416_9e-9, 0.000_547_593_808_499_534_5, 0.015_198_666_563_616_457,
    0.148_103_976_427_480_08, 0.689_767_334_985_1, 1.676_384_830_183_803_8, 2.053_191_626_637_759, 1,
  ],
};
const TAIL = {
  over: [
    2.010_334_399_292_288e-7, 0.000_027_115_555_687_434_876, 0.001_242_660_947_388_078_4,
    0.026_532_189_526_576_124, 0.296_560_571_828_504_9, 1.784_826_539_917_291_3, 5.463_784_911_164_114,
    6.657_904_643_501_103,
  ],
  under: [
    2.044_263_103_389_939_7e-15, 1.421_511_758_316_446e-7, 0.000_018_463_183_175_100_548,
    0.000_786_869_131_145_613_3, 0.014_875_361_290_850_615, 0.136_929_880_922_735_8, 0.599_832_206_555_888, 1,
  ],
};

/** The value of the standard normal distribution that a probability has. -Infinity for 0, Infinity for 1. */
export function normalQuantile(probability: number): number {
  const fromMedian = probability - 0.5;
  if (Math.abs(fromMedian) <= 0.425) return fromMedian * rational(CENTER, 0.180_625 - fromMedian ** 2);
  const outside = Math.min(probability, 1 - probability);
  if (outside <= 0) return outside < 0 ? Number.NaN : Math.sign(fromMedian) * Infinity;
  const root = Math.sqrt(-Math.log(outside));
  return Math.sign(fromMedian) * (root <= 5 ? rational(SIDE, root - 1.6) : rational(TAIL, root - 5));
}

function rational({ over, under }: typeof CENTER, value: number): number {
  const polynomial = (coefficients: readonly number[]) =>
    coefficients.reduce((sum, coefficient) => sum * value + coefficient, 0);
  return polynomial(over) / polynomial(under);
}
