import { type DoubtfulMark, doubtfulMark } from '../../parts/doubtful-mark.js';
import { barWithin, round } from '../../parts/pixels.js';
import { type Drawing, type DrawnLine, type DrawnPoint, isValue } from './drawing.js';
import type { ShownRange } from './span.js';
import { type AxisLimits, type TimeTick, type ValueAxis, valueAxis } from './ticks.js';

/** Geometry of a chart: times and values in, positions in CSS pixels and paths of SVG out. */

/** The area of the lines within the picture of a chart. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A range of values by time, such as the usual range. */
export interface Band {
  readonly times: readonly number[];
  readonly lows: readonly DrawnPoint[];
  readonly middles: readonly DrawnPoint[];
  readonly highs: readonly DrawnPoint[];
}

export interface Scales {
  readonly box: Box;
  readonly x: (time: number) => number;
  readonly y: (value: number) => number;
  readonly timeAt: (x: number) => number;
}

export function scalesOf(box: Box, { from, to }: ShownRange, { min, max }: ValueAxis): Scales {
  return {
    box,
    x: (time) => box.left + ((time - from) / (to - from)) * box.width,
    y: (value) => box.top + ((max - value) / (max - min)) * box.height,
    timeAt: (x) => from + ((x - box.left) / box.width) * (to - from),
  };
}

/** Height of a label with its distance from its point, and height of a step of the value axis. */
const LABEL_ROOM = 24;
const STEP_HEIGHT = 28;

/**
 * The value axis of a chart. Only values that passed quality control count, so that a doubtful value cannot flatten the line.
 *
 * @param more further values that must fit, such as the usual range
 */
export function axisOf(
  { lines }: Drawing,
  limits: AxisLimits,
  height: number,
  more: readonly (readonly DrawnPoint[])[] = [],
): ValueAxis {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const columns = lines.flatMap(({ values, lows = values, highs = values }) => [lows, highs]);
  for (const column of [...columns, ...more]) {
    for (const value of column) {
      if (!isValue(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  const steps = Math.max(2, Math.floor(height / STEP_HEIGHT));
  if (low > high) return valueAxis(0, limits.minLength, limits, steps);
  // Labels of extremes stand above and below the line.
  const room =
    (Math.max(high - low, limits.minLength) * LABEL_ROOM) / Math.max(height - 2 * LABEL_ROOM, LABEL_ROOM);
  const from = limits.floor === undefined ? low - room : low;
  const to =
    limits.ceiling === undefined ? high + room : Math.min(high + room, Math.max(high, limits.ceiling));
  const axis = valueAxis(from, to, limits, steps);
  // The axis ends where the labels end, and not at the next round number.
  const [min, max] = [
    Math.max(axis.min, limits.floor ?? from),
    Math.min(axis.max, Math.max(to, axis.min + limits.minLength)),
  ];
  return { ...axis, min, max, ticks: axis.ticks.filter((tick) => tick >= min && tick <= max) };
}

/** Splits the rows with values into parts that no gap separates. */
function partsOf(
  times: readonly number[],
  values: readonly DrawnPoint[],
  gaps: readonly ShownRange[],
): number[][] {
  const parts: number[][] = [];
  let gap = 0;
  let before = Number.NEGATIVE_INFINITY;
  for (const [index, time] of times.entries()) {
    if (!isValue(values[index])) continue;
    while (gap < gaps.length && (gaps[gap]?.to ?? 0) <= before) gap += 1;
    const between = gaps[gap];
    const isCut = between !== undefined && between.from >= before && between.to <= time;
    if (isCut || parts.length === 0) parts.push([index]);
    else parts.at(-1)?.push(index);
    before = time;
  }
  return parts;
}

/** The path of a line. A value without a neighbor becomes a dot, if the line has round ends. */
export function linePath(
  { times }: Pick<Drawing, 'times'>,
  { values, gaps }: Pick<DrawnLine, 'values' | 'gaps'>,
  { x, y }: Scales,
): string {
  return partsOf(times, values, gaps)
    .map((part) => {
      const points = part.map((index) => `${round(x(times[index] ?? 0))} ${round(y(values[index] ?? 0))}`);
      return points.length === 1 ? `M${points[0]}h.01` : `M${points.join('L')}`;
    })
    .join('');
}

/** The path of the area between two columns of values. */
export function bandPath(
  times: readonly number[],
  lows: readonly DrawnPoint[],
  highs: readonly DrawnPoint[],
  gaps: readonly ShownRange[],
  { x, y }: Scales,
): string {
  const known = lows.map((low, index) => (isValue(highs[index]) ? low : undefined));
  return partsOf(times, known, gaps)
    .map((part) => {
      const edge = (column: readonly DrawnPoint[], rows: readonly number[]) =>
        rows.map((index) => `${round(x(times[index] ?? 0))} ${round(y(column[index] ?? 0))}`).join('L');
      return `M${edge(highs, part)}L${edge(lows, part.toReversed())}Z`;
    })
    .join('');
}

/** The rows of the largest value in each interval of `length` ms. */
export function strongestRows(
  times: readonly number[],
  values: readonly DrawnPoint[],
  length: number,
): number[] {
  const best = new Map<number, number>();
  for (const [index, value] of values.entries()) {
    if (!isValue(value)) continue;
    const interval = Math.floor((times[index] ?? 0) / length);
    const known = best.get(interval);
    if (known === undefined || value > (values[known] ?? 0)) best.set(interval, index);
  }
  return [...best.values()];
}

/** The path of dots, if the line has round ends. */
export function dotsPath(
  times: readonly number[],
  values: readonly DrawnPoint[],
  rows: readonly number[],
  { x, y, box }: Scales,
): string {
  return rows
    .map((row) => [x(times[row] ?? 0), y(values[row] ?? 0)] as const)
    .filter(([left]) => left >= box.left && left <= box.left + box.width)
    .map(([left, top]) => `M${round(left)} ${round(top)}h.01`)
    .join('');
}

/** The path of bars, from the start to the end of each interval. */
export function barsPath(
  intervals: readonly ShownRange[],
  values: readonly DrawnPoint[],
  { x, y, box }: Scales,
): string {
  const zero = round(y(0));
  return intervals
    .map(({ from, to }, index) => {
      const value = values[index];
      if (!isValue(value) || value <= 0) return '';
      const [left, right] = barWithin(x(from), x(to), box.left, box.left + box.width);
      const gap = right - left > 4 ? 0.5 : 0;
      return `M${round(left + gap)} ${zero}V${round(y(value))}H${round(right - gap)}V${zero}Z`;
    })
    .join('');
}

/** Mean width of a character in pixels, with which widths of labels are estimated. */
const CHARACTER = 7.6;
export const widthOf = (text: string) => text.length * CHARACTER;

export interface PlacedLabel {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** Moves the middle of a label so that the whole label is inside of the box. */
function clampLabel(x: number, text: string, { left, width }: Box): number {
  const half = widthOf(text) / 2;
  return half * 2 > width ? left + width / 2 : Math.min(Math.max(x, left + half), left + width - half);
}

/** Places the label of an extreme above or below its point, or inside of the box if there is no room. */
export function placeExtreme(
  { x, y, kind }: { readonly x: number; readonly y: number; readonly kind: 'low' | 'high' },
  text: string,
  box: Box,
): PlacedLabel {
  const wanted = kind === 'high' ? y - 10 : y + 20;
  const inside = Math.min(Math.max(wanted, box.top + 13), box.top + box.height - 4);
  return { x: clampLabel(x, text, box), y: inside, text };
}

/** A label and the lines of text in which it may stand, the best one first. */
export interface MovableLabel extends PlacedLabel {
  /** Further baselines. */
  readonly others?: readonly number[];
}

/** Height of a line of text. */
const LINE = 15;
/** The line above another one, and the line below it. */
const [ABOVE, BELOW] = [-LINE - 1, LINE + 1];

const isFree = ({ x, y, text }: PlacedLabel, taken: readonly PlacedLabel[]) =>
  taken.every(
    (other) =>
      Math.abs(other.y - y) >= LINE || Math.abs(other.x - x) >= (widthOf(other.text) + widthOf(text)) / 2,
  );

/**
 * Moves labels that would overlap an earlier label to another line of text, and leaves out those for which no line is free.
 *
 * @param taken labels that already have a place
 */
export function withoutOverlaps<Label extends MovableLabel>(
  labels: readonly Label[],
  taken: readonly PlacedLabel[] = [],
): Label[] {
  const kept: Label[] = [];
  for (const label of labels) {
    const line = [label.y, ...(label.others ?? [])].find((y) => isFree({ ...label, y }, [...taken, ...kept]));
    if (line !== undefined) kept.push({ ...label, y: line });
  }
  return kept;
}

/** Radius of the mark of a doubtful value. */
const DOUBTFUL_RADIUS = 3.5;

/** A doubtful value: a point inside of the box, or a caret at the edge that the value is beyond. */
export function placeDoubtful(time: number, value: number, { x, y, box }: Scales): DoubtfulMark {
  return doubtfulMark(x(time), y(value), { top: box.top, bottom: box.top + box.height }, DOUBTFUL_RADIUS);
}

/** The words beside a caret. They stand on the base of the chart, so that the axis does not cross them. */
export function placeWords(
  { x, edge }: DoubtfulMark,
  text: string,
  { left, top, width, height }: Box,
): MovableLabel & { readonly side: 1 | -1 } {
  const half = widthOf(text) / 2;
  const side = x + 10 + half * 2 > left + width ? -1 : 1;
  const y = edge === 'top' ? top + 13 : top + height - 10;
  const step = edge === 'top' ? BELOW : ABOVE;
  return { x: x + side * (10 + half), y, others: [y + step, y + 2 * step, y + 3 * step], text, side };
}

/** Minimum width in pixels of a gap that is marked. */
const MIN_GAP = 3;

/** The brackets of gaps on the time axis. Gaps that are narrower than `MIN_GAP` are left out, and labels that are wider than the picture. */
export function placeGaps(
  gaps: readonly ShownRange[],
  text: (gap: ShownRange) => string,
  { x, box }: Scales,
): (MovableLabel & { readonly path: string; readonly gap: ShownRange })[] {
  const bottom = box.top + box.height;
  return gaps.flatMap((gap) => {
    const left = Math.max(box.left, round(x(gap.from)));
    const right = Math.min(box.left + box.width, round(x(gap.to)));
    if (right - left < MIN_GAP) return [];
    const words = text(gap);
    return [
      {
        gap,
        path: `M${left} ${bottom - 6}V${bottom - 1}H${right}V${bottom - 6}`,
        x: clampLabel((left + right) / 2, words, box),
        y: bottom - 10,
        others: [bottom - 10 + ABOVE],
        text: widthOf(words) > box.width ? '' : words,
      },
    ];
  });
}

/** Positions of the labels of the time axis. The label of a whole day or month stands in its middle, if there is room. */
export function placeTicks(
  ticks: readonly TimeTick[],
  write: (tick: TimeTick) => string,
  { x, box }: Scales,
): PlacedLabel[] {
  const labels = ticks.flatMap((tick) => {
    const text = write(tick);
    const left = Math.max(box.left, x(tick.time));
    const right = tick.end === undefined ? left : Math.min(box.left + box.width, x(tick.end));
    // The label of a day or month that is hardly shown would reach over the edge.
    if (tick.end !== undefined && right - left < widthOf(text) * 0.8) return [];
    return [{ x: clampLabel((left + right) / 2, text, box), y: 0, text }];
  });
  return withoutOverlaps(labels);
}
