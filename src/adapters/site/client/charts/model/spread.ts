/**
 * Moves sorted positions apart, so that labels there do not overlap.
 *
 * @param distance least distance of two positions
 * @returns positions from `low` to `high`; with too little room, some are below `low`
 */
export function spread(wanted: readonly number[], distance: number, low: number, high: number): number[] {
  const placed: number[] = [];
  for (const position of wanted)
    placed.push(Math.max(position, (placed.at(-1) ?? low - distance) + distance));
  let limit = high;
  for (let index = placed.length - 1; index >= 0; index -= 1) {
    placed[index] = Math.min(placed[index] ?? low, limit);
    limit = (placed[index] ?? low) - distance;
  }
  return placed;
}
