import { DEFAULT_REPORTING_INTERVAL, SILENT_INTERVALS } from '#domain/weather/current/silence.js';
import { doubtfulMark } from '../../parts/doubtful-mark.js';
import { linePath, round } from '../../parts/pixels.js';

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
  /** Position of the last value. */
  readonly newest: readonly [x: number, y: number];
  /** Paths of the marks of suspect values. A value outside of the scale has a caret at the edge of the picture. */
  readonly suspects: readonly string[];
}

/** The span of time in seconds and the span of values of a sparkline. */
export interface SparkScale {
  readonly from: number;
  readonly to: number;
  readonly bottom: number;
  readonly top: number;
}

/** Radius of the mark of a suspect value. */
const SUSPECT_RADIUS = 2.5;

type SparkBox = Readonly<Record<'width' | 'height' | 'margin', number>>;

/**
 * Draws a sparkline.
 *
 * @param box size of the picture; the margin stays empty
 * @param longest largest time in seconds between two connected values
 * @param scale default: the span of the values
 * @returns undefined with fewer than two values
 */
export function drawSpark(
  line: SparkValues,
  box: SparkBox,
  longest: number,
  scale: SparkScale = scaleOf(line),
): Spark | undefined {
  const { times, values, suspects } = line;
  if (times.length < 2 || times[0] === times.at(-1)) return undefined;
  const positions = values.map((value, index) => placeValue(times[index] as number, value, box, scale));
  const positionOf = (value: number) => positions[values.indexOf(value)] as readonly [number, number];
  return {
    path: linePath(positions, times, longest),
    lowest: positionOf(Math.min(...values)),
    highest: positionOf(Math.max(...values)),
    newest: positions.at(-1) as readonly [number, number],
    suspects:
      suspects?.values.map((value, index) => {
        const [x, y] = placeValue(suspects.times[index] as number, value, box, scale);
        const edge = value > scale.top ? -1 : value < scale.bottom ? box.height + 1 : y;
        return doubtfulMark(x, edge, { top: 0, bottom: box.height }, SUSPECT_RADIUS).path;
      }) ?? [],
  };
}

function scaleOf({ times, values }: SparkValues): SparkScale {
  const [from = 0, to = 0] = [times[0], times.at(-1)];
  return { from, to, bottom: Math.min(...values), top: Math.max(...values) };
}

/** The position of a value. A value outside of the scale is at its edge, and a constant line is in the middle. */
export function placeValue(
  time: number,
  value: number,
  box: SparkBox,
  { from, to, bottom, top }: SparkScale,
): readonly [x: number, y: number] {
  const coordinate = (share: number, length: number) => round(box.margin + share * (length - 2 * box.margin));
  const down = top === bottom ? 0.5 : (top - value) / (top - bottom);
  return [
    coordinate(clampShare((time - from) / (to - from)), box.width),
    coordinate(clampShare(down), box.height),
  ];
}

/** Reduces values to the first, the last, the smallest and the largest one of each column, which draw the same line. */
export function thin({ times, values }: SparkValues, columns: number): SparkValues {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || times.length <= columns) return { times, values };
  const width = (last - first) / columns || 1;
  const kept = new Set<number>();
  for (let start = 0; start < times.length;) {
    const column = Math.floor(((times[start] as number) - first) / width);
    let [end, lowest, highest] = [start, start, start];
    for (; end < times.length && Math.floor(((times[end] as number) - first) / width) === column; end += 1) {
      if ((values[end] as number) < (values[lowest] as number)) lowest = end;
      if ((values[end] as number) > (values[highest] as number)) highest = end;
    }
    for (const index of [start, lowest, highest, end - 1]) kept.add(index);
    start = end;
  }
  const indexes = [...kept].toSorted((a, b) => a - b);
  return {
    times: indexes.map((index) => times[index] as number),
    values: indexes.map((index) => values[index] as number),
  };
}

const clampShare = (share: number) => Math.min(1, Math.max(0, share));

/**
 * The largest time in seconds between two connected values: 45 min, or longer if the station reports rarely.
 *
 * @param interval reporting interval of the station in seconds; null if it is not configured
 */
export function longestGap(interval: number | null): number {
  return Math.max(2700, SILENT_INTERVALS * (interval ?? DEFAULT_REPORTING_INTERVAL));
}
