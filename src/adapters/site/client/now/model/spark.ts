/** Values over time for a sparkline. */
export interface SparkValues {
  /** Times in seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** Suspect values. They are not part of the line and do not affect the scale of the sparkline. */
  readonly suspects?: Pick<SparkValues, 'times' | 'values'>;
}

export interface Spark {
  /** Attribute `d` of an SVG path. */
  readonly path: string;
  /** Position of the smallest value. */
  readonly lowest: readonly [x: number, y: number];
  /** Position of the largest value. */
  readonly highest: readonly [x: number, y: number];
  /** Positions of suspect values. A value outside of the scale is drawn at the edge of the scale. */
  readonly suspects: readonly (readonly [x: number, y: number])[];
}

/**
 * Draws a sparkline.
 *
 * @param box size of the picture; the margin stays empty
 * @param longest largest time in seconds between two connected values
 * @returns undefined with fewer than two values
 */
export function drawSpark(
  { times, values, suspects }: SparkValues,
  box: Readonly<Record<'width' | 'height' | 'margin', number>>,
  longest: number,
): Spark | undefined {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const [bottom, top] = [Math.min(...values), Math.max(...values)];
  const coordinate = (share: number, length: number) => round(box.margin + share * (length - 2 * box.margin));
  const positionAt = (time: number, value: number): readonly [number, number] => {
    // A constant line is drawn in the middle.
    const down = top === bottom ? 0.5 : (top - value) / (top - bottom);
    return [
      coordinate(clampShare((time - first) / (last - first)), box.width),
      coordinate(clampShare(down), box.height),
    ];
  };
  const positions = values.map((value, index) => positionAt(times[index] as number, value));
  const path = positions.map(([x, y], index) => {
    const isConnected = index > 0 && (times[index] as number) - (times[index - 1] as number) <= longest;
    return `${isConnected ? 'L' : 'M'}${x} ${y}`;
  });
  const positionOf = (value: number) => positions[values.indexOf(value)] as readonly [number, number];
  return {
    path: path.join(''),
    lowest: positionOf(bottom),
    highest: positionOf(top),
    suspects:
      suspects?.values.map((value, index) => positionAt(suspects.times[index] as number, value)) ?? [],
  };
}

const clampShare = (share: number) => Math.min(1, Math.max(0, share));
const round = (value: number) => Math.round(value * 10) / 10;
