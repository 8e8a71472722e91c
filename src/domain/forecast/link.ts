import type { Link } from './forecast-variables.js';

/** Ratios of corrected to forecast values are within these bounds. A sheltered garden has half of the wind of a model. */
const [SMALLEST_RATIO, LARGEST_RATIO] = [0.3, 2];
/** Added to values before a ratio, in their unit, because a ratio of two small values says nothing: 1 m/s, 20 W/m². */
const OFFSET: Readonly<Record<string, number>> = { 'm/s': 1, 'W/m²': 20 };

/** The error of a forecast: a difference, or the logarithm of a ratio. */
export function errorOf(link: Link, unit: string, forecast: number, observed: number): number {
  if (link === 'difference') return forecast - observed;
  const offset = OFFSET[unit] ?? 1;
  return Math.log((forecast + offset) / (observed + offset));
}

/** The value of a forecast without an error of this size. */
export function withoutError(link: Link, unit: string, forecast: number, error: number): number {
  if (link === 'difference') return forecast - error;
  const offset = OFFSET[unit] ?? 1;
  const ratio = Math.min(LARGEST_RATIO, Math.max(SMALLEST_RATIO, Math.exp(-error)));
  return Math.max(0, (forecast + offset) * ratio - offset);
}
