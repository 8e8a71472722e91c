/**
 * Moves sorted positions of labels apart, so that the labels do not overlap.
 *
 * @param distance minimum distance between two positions
 * @returns positions from `low` to `high`. If the space is too small, some positions are below `low`
 */
export function spreadPositions(
  wanted: readonly number[],
  distance: number,
  low: number,
  high: number,
): number[] {
  const positions: number[] = [];
  for (const position of wanted)
    positions.push(Math.max(position, (positions.at(-1) ?? low - distance) + distance));
  let limit = high;
  for (let index = positions.length - 1; index >= 0; index -= 1) {
    positions[index] = Math.min(positions[index] ?? low, limit);
    limit = (positions[index] ?? low) - distance;
  }
  return positions;
}
