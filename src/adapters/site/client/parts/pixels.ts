/** Rounds to a tenth of a pixel. */
export const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** Smallest width in pixels of a bar that the edge of the picture cuts, unless the whole bar is narrower. */
const CUT_BAR = 3;

/** The ends of a bar from `start` to `end` in a picture from `left` to `right`. The bar of an interval that has just begun is moved into it. */
export function barWithin(
  start: number,
  end: number,
  left: number,
  right: number,
): readonly [from: number, to: number] {
  const least = Math.max(1, Math.min(CUT_BAR, end - start));
  const from = Math.max(left, Math.min(start, right - least));
  return [from, Math.max(Math.min(right, end), from + least)];
}

export type Point = readonly [x: number, y: number];

/**
 * The line through points, as attribute `d` of an SVG path.
 *
 * @param times of the points. Points that are more than `longest` apart are not connected.
 */
export function linePath(points: readonly Point[], times: readonly number[] = [], longest = 0): string {
  const isGap = (index: number) => (times[index] as number) - (times[index - 1] as number) > longest;
  return points.map(([x, y], index) => `${index === 0 || isGap(index) ? 'M' : 'L'}${x} ${y}`).join('');
}
