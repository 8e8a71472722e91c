/** Values of a line over time. */
export interface DrawnLine {
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** Values that quality control doubts. They are not in the line, and do not set its scale. */
  readonly doubtful?: Pick<DrawnLine, 'times' | 'values'>;
}

export interface Spark {
  /** Data of an SVG path. */
  readonly path: string;
  /** Where the smallest and the largest value are. */
  readonly lowest: readonly [x: number, y: number];
  readonly highest: readonly [x: number, y: number];
  /** Doubtful values; those beyond the scale are at its edge. */
  readonly doubtful: readonly (readonly [x: number, y: number])[];
}

/**
 * @param box size of the picture; nothing is drawn in its margin
 * @param longest seconds between two values that are connected
 * @returns undefined with fewer than two values
 */
export function drawSpark(
  { times, values, doubtful }: DrawnLine,
  box: Readonly<Record<'width' | 'height' | 'margin', number>>,
  longest: number,
): Spark | undefined {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const [bottom, top] = [Math.min(...values), Math.max(...values)];
  const inside = (share: number, length: number) => round(box.margin + share * (length - 2 * box.margin));
  const placeAt = (time: number, value: number): readonly [number, number] => {
    // A level line is in the middle.
    const down = top === bottom ? 0.5 : (top - value) / (top - bottom);
    return [inside(within((time - first) / (last - first)), box.width), inside(within(down), box.height)];
  };
  const places = values.map((value, index) => placeAt(times[index] as number, value));
  const path = places.map(([x, y], index) => {
    const isConnected = index > 0 && (times[index] as number) - (times[index - 1] as number) <= longest;
    return `${isConnected ? 'L' : 'M'}${x} ${y}`;
  });
  const placeOf = (value: number) => places[values.indexOf(value)] as readonly [number, number];
  return {
    path: path.join(''),
    lowest: placeOf(bottom),
    highest: placeOf(top),
    doubtful: doubtful?.values.map((value, index) => placeAt(doubtful.times[index] as number, value)) ?? [],
  };
}

const within = (share: number) => Math.min(1, Math.max(0, share));
const round = (value: number) => Math.round(value * 10) / 10;
