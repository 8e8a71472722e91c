import type { Reply } from '../../api.js';

/** A wind rose. Speeds are in m/s; sectors are clockwise from north. */
export type Rose = Pick<
  Reply<'/v1/stations/{id}/wind-rose', 'get'>,
  'count' | 'calm_below' | 'calms' | 'without_direction' | 'classes' | 'sectors'
>;

/** Index of the sector from which the wind came most often; undefined if all sectors are empty. */
export function prevailingSector({ sectors }: Rose): number | undefined {
  const counts = sectors.map(({ count }) => count);
  const maxCount = Math.max(...counts);
  return maxCount === 0 ? undefined : counts.indexOf(maxCount);
}

/**
 * Percentages at which rings are drawn: one to five round numbers, the last of which is not below the longest wedge.
 *
 * @param largest largest share of a sector in percent
 */
export function ringPercentages(largest: number): number[] {
  const step = [1, 2, 5, 10, 20].find((size) => largest / size <= 5) ?? 25;
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) }, (_ring, index) => (index + 1) * step);
}

/** The indexes of the classes of speed that have winds. */
export function usedClasses({ classes, sectors }: Pick<Rose, 'classes' | 'sectors'>): number[] {
  return classes.flatMap((_class, index) =>
    sectors.some(({ counts }) => (counts[index] ?? 0) > 0) ? [index] : [],
  );
}

/**
 * Draws a part of a ring around the origin.
 *
 * @param from start angle in degrees, clockwise from north
 * @param to end angle
 * @param inner inner radius
 * @param outer outer radius
 * @returns attribute `d` of an SVG path
 */
export function wedge(from: number, to: number, inner: number, outer: number): string {
  const point = (angle: number, radius: number) => {
    const turn = (angle * Math.PI) / 180;
    return `${round(radius * Math.sin(turn))} ${round(-radius * Math.cos(turn))}`;
  };
  const arc = (radius: number, sweep: 0 | 1, angle: number) =>
    `A${round(radius)} ${round(radius)} 0 0 ${sweep} ${point(angle, radius)}`;
  return `M${point(from, inner)}L${point(from, outer)}${arc(outer, 1, to)}L${point(to, inner)}${arc(inner, 0, from)}Z`;
}

const round = (value: number) => Math.round(value * 100) / 100;
