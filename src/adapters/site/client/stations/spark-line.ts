/** Size of a spark in px. */
export const [WIDTH, HEIGHT] = [104, 40];
const MARGIN = 3;

/** The vertical scale that all sparks of a list share, so that their lines can be compared. */
export type SparkScale = readonly [bottom: number, top: number];

/** Returns a scale for lines of values; undefined without values. */
export function sparkScale(lines: Iterable<readonly (number | null)[]>): SparkScale | undefined {
  let [bottom, top] = [Infinity, -Infinity];
  for (const line of lines)
    for (const value of line)
      if (value !== null) [bottom, top] = [Math.min(bottom, value), Math.max(top, value)];
  if (bottom > top) return undefined;
  // A scale of at least 5 degrees, so that noise does not look like weather.
  const missing = Math.max(0, 5 - (top - bottom)) / 2;
  return [bottom - missing, top + missing];
}

/** Returns the attribute `d` of a line, which is open where a value is missing, and the position of the last value. */
export function sparkPath(
  values: readonly (number | null)[],
  [bottom, top]: SparkScale,
): { readonly path: string; readonly last: readonly [x: number, y: number] | undefined } {
  let last: readonly [number, number] | undefined;
  let path = '';
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const x = MARGIN + (index / Math.max(values.length - 1, 1)) * (WIDTH - 2 * MARGIN);
    const isJoined = index > 0 && values[index - 1] !== null;
    last = [rounded(x), heightOf(value, [bottom, top])];
    path += `${isJoined ? 'L' : 'M'}${last.join(' ')}`;
  }
  return { path, last };
}

const rounded = (value: number) => Math.round(value * 10) / 10;
export const heightOf = (value: number, [bottom, top]: SparkScale) =>
  rounded(MARGIN + ((top - value) / (top - bottom)) * (HEIGHT - 2 * MARGIN));
