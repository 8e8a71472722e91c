import { type LMoments, logGamma } from '../distributions.js';

/** A generalized extreme value distribution. The shape is Hosking's: a negative shape has no upper end. */
export interface ExtremeValues {
  readonly location: number;
  readonly scale: number;
  readonly shape: number;
}

/** Smallest shape for which the distribution differs from the Gumbel distribution. */
const GUMBEL = 1e-6;
/** Euler's constant. */
const EULER = 0.577_215_664_901_532_9;

/**
 * The generalized extreme value distribution with given L-moments: Hosking, Wallis and Wood (1985), Technometrics 27. The shape is an
 * approximation with an error below 9e-4 for skewnesses from -0.5 to 0.5.
 *
 * @returns undefined if the values from which the L-moments come are equal, or have no such distribution
 */
export function fitExtremeValues({ mean, scale: second, skewness }: LMoments): ExtremeValues | undefined {
  if (!(second > 0) || !(Math.abs(skewness) < 1)) return undefined;
  const ratio = 2 / (3 + skewness) - Math.LN2 / Math.log(3);
  const shape = 7.859 * ratio + 2.9554 * ratio ** 2;
  if (Math.abs(shape) < GUMBEL) {
    const scale = second / Math.LN2;
    return { location: mean - EULER * scale, scale, shape: 0 };
  }
  if (shape <= -1) return undefined;
  const gamma = Math.exp(logGamma(1 + shape));
  const scale = (second * shape) / ((1 - 2 ** -shape) * gamma);
  return { location: mean - (scale * (1 - gamma)) / shape, scale, shape };
}

/** The value that a year does not exceed with a probability. @param probability from 0 to 1, both excluded */
export function extremeValueQuantile({ location, scale, shape }: ExtremeValues, probability: number): number {
  const reduced = -Math.log(probability);
  return shape === 0
    ? location - scale * Math.log(reduced)
    : location + (scale * (1 - reduced ** shape)) / shape;
}
