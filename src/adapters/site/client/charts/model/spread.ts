/**
 * Moves sorted positions of labels apart, so that the labels do not overlap.
 *
 * @param distance minimum distance between two positions
 * @returns positions from `low` to `high`. If the space is too small, some positions are below `low`
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
