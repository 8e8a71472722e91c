import { MILLISECONDS } from '#domain/time.js';
import { isStale } from '#domain/weather/current/silence.js';
import type { DisplayUnit } from '../../format/units.js';
import type { ObservationReply } from '../../observations.js';
import type { ChartLine, Quantity } from './quantities.js';
import type { SummaryReply } from './read.js';
import type { ShownRange } from './span.js';
import type { BarStep, Step } from './steps.js';
import { localTime } from './zone.js';

/** A value of a line; undefined if the row has none. Unless there is a gap, the line connects the values before and after. */
export type DrawnPoint = number | undefined;

/** A value that some checks of quality control doubt. No line connects it with other values. */
export interface Doubtful {
  /** Time in ms since 1970. */
  readonly time: number;
  /** The value in the display unit. */
  readonly value: number;
  /** Names of the failed checks; empty if they are not known yet. */
  readonly checks: readonly string[];
}

export interface DrawnLine {
  readonly variable: string;
  readonly shape: ChartLine['shape'];
  /** One value for each row, in the display unit. Doubtful values are left out. */
  readonly values: readonly DrawnPoint[];
  /** For lines of steps only: the smallest and the largest value of each step. */
  readonly lows?: readonly DrawnPoint[];
  readonly highs?: readonly DrawnPoint[];
  /** For lines of steps only: the times of the smallest and the largest values in ms since 1970, if the API has sent them. */
  readonly lowTimes?: readonly (number | undefined)[];
  readonly highTimes?: readonly (number | undefined)[];
  readonly doubtful: readonly Doubtful[];
  /** The parts of the range without values. */
  readonly gaps: readonly ShownRange[];
}

export interface Arrow {
  /** Time in ms since 1970. */
  readonly time: number;
  /** Direction from which the wind blows, in degrees. */
  readonly from: number;
}

/** The content of a chart. Times are in ms since 1970. */
export interface Drawing {
  readonly step: Step | BarStep;
  /** Time of each row. For steps and bars, the middle of each interval. */
  readonly times: readonly number[];
  /** For steps and bars only: the start and the end of each interval. */
  readonly intervals?: readonly ShownRange[];
  readonly lines: readonly DrawnLine[];
  /** For bars of hours only: the sum from local midnight to the end of each interval. */
  readonly daySums?: readonly DrawnPoint[];
  readonly arrows: readonly Arrow[];
}

/**
 * A line is interrupted between two values if the time between them is longer than `MAX_GAP` times the reporting interval, and
 * longer than `MAX_GAP` times the typical time between two values. The API uses the same factor when it marks gaps in a reply
 * with the parameter `points`.
 */
const MAX_GAP = 3;
/**
 * Upper limit of the typical time between two values, in ms. A longer typical time is replaced by this limit. Values that are
 * usually much farther apart, such as the gusts of some stations, are therefore drawn as dots, and no line connects them.
 */
const MAX_CONNECTED_GAP = 3 * MILLISECONDS.hour;

/**
 * Computes lines of values as measured.
 *
 * @param interval reporting interval of the station in ms; 0 if it is unknown
 * @param columnLength the API divides the range into columns, and replies with only a few values for each column. This is the
 *   duration of one column in ms
 * @param expected the range in which the station can have values
 */
export function drawLines(
  { lines, arrows }: Quantity,
  { observations, quality }: ObservationReply,
  directions: SummaryReply | undefined,
  unit: DisplayUnit,
  {
    interval,
    columnLength,
    expected,
  }: { readonly interval: number; readonly columnLength: number; readonly expected: ShownRange },
): Drawing {
  const times = observations.time.map((seconds) => seconds * MILLISECONDS.second);
  return {
    step: 'value',
    times,
    lines: lines.map(({ variable, shape }) => {
      const values: DrawnPoint[] = (observations[variable] ?? []).map((value) =>
        isValue(value) ? unit.convert(value) : undefined,
      );
      const doubtful: Doubtful[] = [];
      for (const { variable: name, index, verdict, checks } of quality) {
        if (name !== variable) continue;
        const [time, value] = [times[index], values[index]];
        values[index] = undefined;
        if (verdict !== 'fail' && time !== undefined && isValue(value))
          doubtful.push({ time, value, checks });
      }
      const longest = MAX_GAP * Math.max(interval, typicalDistance(times, values)) + columnLength;
      const gaps = gapsOf(times, values, longest, expected);
      return { variable, shape, values, doubtful, gaps };
    }),
    arrows: arrows === undefined ? [] : arrowsOf(arrows, directions),
  };
}

/** The 20th percentile of the distances between successive values in ms, at most 3 hours; 0 for fewer than two values. */
export function typicalDistance(times: readonly number[], values: readonly DrawnPoint[]): number {
  const distances = new Float64Array(values.length);
  let count = 0;
  let before: number | undefined;
  for (const [index, value] of values.entries()) {
    const time = times[index];
    if (!isValue(value) || time === undefined) continue;
    if (before !== undefined) distances[count++] = time - before;
    before = time;
  }
  const shortest = distances.subarray(0, count).sort();
  return Math.min(MAX_CONNECTED_GAP, shortest[Math.floor(count / 5)] ?? 0);
}

/**
 * Finds the parts of `expected` in which successive values are more than `longest` ms apart. The line is interrupted there.
 */
export function gapsOf(
  times: readonly number[],
  values: readonly DrawnPoint[],
  longest: number,
  expected: ShownRange,
): ShownRange[] {
  const gaps: ShownRange[] = [];
  let before = expected.from;
  for (const [index, time] of times.entries()) {
    if (!isValue(values[index])) continue;
    if (time - before > longest) gaps.push({ from: before, to: time });
    before = time;
  }
  if (expected.to - before > longest) gaps.push({ from: before, to: expected.to });
  return gaps;
}

function arrowsOf(variable: string, reply: SummaryReply | undefined): Arrow[] {
  return (reply?.summaries ?? []).flatMap((summary) => {
    const direction = summary[variable]?.mean;
    if (typeof direction !== 'number') return [];
    return [{ time: middleOf(intervalOf(summary)), from: direction }];
  });
}

/** The range in which a station can have values, and its reporting interval in seconds; null if the interval is not configured. */
export interface Expectation {
  readonly expected: ShownRange;
  readonly reportingInterval: number | null;
}

/**
 * Computes lines of steps: the mean of each hour, day or week with its smallest and largest value. Variables without a mean, such
 * as gusts, have their largest value instead.
 */
export function drawSteps(
  { lines }: Quantity,
  { summaries }: SummaryReply,
  unit: DisplayUnit,
  { step, ...expectation }: Expectation & { readonly step: Step },
): Drawing {
  const intervals = summaries.map((summary) => intervalOf(summary));
  const convert = (value: number | null | undefined) =>
    typeof value === 'number' ? unit.convert(value) : undefined;
  const timeOf = (time: string | null | undefined) =>
    typeof time === 'string' ? Date.parse(time) : undefined;
  return {
    step,
    times: intervals.map((interval) => middleOf(interval)),
    intervals,
    lines: lines.map(({ variable, shape }) => {
      const fields = summaries.map((summary) => summary[variable]);
      const values = fields.map((field) => convert(field?.mean ?? field?.max));
      const hasMean = fields.some((field) => typeof field?.mean === 'number');
      return {
        variable,
        shape,
        values,
        ...(hasMean && { lows: fields.map((field) => convert(field?.min)) }),
        ...(hasMean && { highs: fields.map((field) => convert(field?.max)) }),
        lowTimes: fields.map((field) => timeOf(field?.min_time)),
        highTimes: fields.map((field) => timeOf(field?.max_time)),
        doubtful: [],
        gaps: missingIntervals(intervals, values, expectation),
      };
    }),
    arrows: [],
  };
}

/**
 * Joins successive intervals without a value, and cuts them to `expected`. While the last interval is running, its value may still
 * come, so that there is a gap only if a station without values for this time is silent.
 */
function missingIntervals(
  intervals: readonly ShownRange[],
  values: readonly DrawnPoint[],
  { expected, reportingInterval }: Expectation,
): ShownRange[] {
  const missing: { from: number; to: number }[] = [];
  for (const [index, interval] of intervals.entries()) {
    const from = Math.max(interval.from, expected.from);
    const to = Math.min(interval.to, expected.to);
    if (isValue(values[index]) || to <= from) continue;
    const last = missing.at(-1);
    if (last?.to === from) last.to = to;
    else missing.push({ from, to });
  }
  const isRunning = (intervals.at(-1)?.to ?? 0) > expected.to;
  return missing.filter(
    ({ from, to }) =>
      !isRunning || to < expected.to || isStale((to - from) / MILLISECONDS.second, reportingInterval),
  );
}

/** Computes bars of amounts. @param reply summaries that start at a local midnight, which may be before the range */
export function drawBars(
  { lines, hasDaySum }: Quantity,
  { summaries }: SummaryReply,
  unit: DisplayUnit,
  {
    step,
    range,
    zone,
    ...expectation
  }: Expectation & { readonly step: BarStep; readonly range: ShownRange; readonly zone: string },
): Drawing {
  const variable = lines[0]?.variable ?? '';
  let [day, daySum] = ['', 0];
  const bars = summaries.flatMap((summary) => {
    const interval = intervalOf(summary);
    const { date } = localTime(interval.from, zone);
    if (date !== day) [day, daySum] = [date, 0];
    const amount = summary[variable]?.sum;
    const isKnown = typeof amount === 'number';
    daySum += isKnown ? amount : 0;
    // The interval that still runs can begin after the range, which ends with the last whole minute or the last line.
    if (interval.to <= range.from) return [];
    return [
      {
        interval,
        amount: isKnown ? unit.convert(amount) : undefined,
        daySum: isKnown ? unit.convert(daySum) : undefined,
      },
    ];
  });
  const intervals = bars.map(({ interval }) => interval);
  const values = bars.map(({ amount }) => amount);
  const gaps = missingIntervals(intervals, values, expectation);
  return {
    step,
    times: intervals.map((interval) => middleOf(interval)),
    intervals,
    lines: [{ variable, shape: 'bars', values, doubtful: [], gaps }],
    arrows: [],
    ...(hasDaySum === true && step === 'hour' && { daySums: bars.map((bar) => bar.daySum) }),
  };
}

const intervalOf = ({ start, end }: { readonly start: string; readonly end: string }): ShownRange => ({
  from: Date.parse(start),
  to: Date.parse(end),
});

const middleOf = ({ from, to }: ShownRange) => (from + to) / 2;

/** The smallest or the largest value of a line with its time and row. */
export interface Extreme {
  readonly kind: 'low' | 'high';
  readonly value: number;
  readonly time: number;
  readonly row: number;
}

/** The extremes of the values in a range. Dots and bars have no low extreme, because it would be almost any of them. */
export function extremesOf(
  { times, intervals }: Pick<Drawing, 'times' | 'intervals'>,
  { shape, values, lows = values, highs = values, lowTimes, highTimes }: DrawnLine,
  { from, to }: ShownRange,
): Extreme[] {
  const find = (
    kind: Extreme['kind'],
    points: readonly DrawnPoint[],
    exact: readonly (number | undefined)[] | undefined,
  ) => {
    let best: Extreme | undefined;
    for (const [row, value] of points.entries()) {
      if (value === undefined) continue;
      const time = exact?.[row] ?? times[row] ?? 0;
      if ((intervals === undefined || exact?.[row] !== undefined) && (time < from || time > to)) continue;
      const isFurther = best === undefined || (kind === 'low' ? value < best.value : value > best.value);
      if (isFurther) best = { kind, value, time, row };
    }
    return best === undefined ? [] : [best];
  };
  if (shape === 'bars') return find('high', values, undefined).filter(({ value }) => value > 0);
  const high = find('high', highs, highTimes);
  return shape === 'dots' ? high : [...find('low', lows, lowTimes), ...high];
}

/** Index of the row at a time: for intervals the interval that contains the time, otherwise the nearest row with a value; -1 if none. */
export function rowAt({ times, intervals, lines }: Drawing, time: number): number {
  if (intervals !== undefined) return intervals.findIndex(({ from, to }) => time >= from && time < to);
  const doubtful = new Set(lines.flatMap((line) => line.doubtful.map((value) => value.time)));
  return nearest(
    times,
    time,
    (index) => doubtful.has(times[index] ?? 0) || lines.some(({ values }) => isValue(values[index])),
  );
}

/** What a line shows at a time: a value with its row, a doubtful value, or the gap around the time. */
export type LineReading =
  | { readonly kind: 'value'; readonly row: number; readonly value: number }
  | ({ readonly kind: 'doubtful' } & Doubtful)
  | ({ readonly kind: 'gap' } & ShownRange);

/** @returns undefined if the line has no values near the time */
export function readLine(drawing: Drawing, line: DrawnLine, time: number): LineReading | undefined {
  const { times, intervals } = drawing;
  const gap = line.gaps.find(({ from, to }) => time > from && time < to);
  if (intervals !== undefined) {
    const row = rowAt(drawing, time);
    const value = line.values[row];
    if (isValue(value)) return { kind: 'value', row, value };
    return gap && { kind: 'gap', ...gap };
  }
  const row = nearest(times, time, (index) => isValue(line.values[index]));
  const doubts = line.doubtful.map((doubtful) => doubtful.time);
  const doubtful = line.doubtful[nearest(doubts, time)];
  const value = line.values[row];
  const [toValue, toDoubtful] = [times[row], doubtful?.time].map((at) =>
    at === undefined ? Number.POSITIVE_INFINITY : Math.abs(at - time),
  );
  if (doubtful !== undefined && (toDoubtful ?? 0) < (toValue ?? 0)) return { kind: 'doubtful', ...doubtful };
  if (gap !== undefined) return { kind: 'gap', ...gap };
  return isValue(value) ? { kind: 'value', row, value } : undefined;
}

/** Index of the time that is nearest to `time` among the times that fit; -1 if none fits. @param times ascending */
export function nearest(
  times: readonly number[],
  time: number,
  fits: (index: number) => boolean = () => true,
): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  let before = low - 1;
  while (before >= 0 && !fits(before)) before -= 1;
  let after = low;
  while (after < times.length && !fits(after)) after += 1;
  if (after >= times.length) return before;
  if (before < 0) return after;
  return time - (times[before] ?? 0) <= (times[after] ?? 0) - time ? before : after;
}

export function isValue(value: DrawnPoint | null): value is number {
  return value !== undefined && value !== null;
}

export function hasValues({ lines }: Drawing): boolean {
  return lines.some(({ values, doubtful }) => doubtful.length > 0 || values.some((value) => isValue(value)));
}

/** Whether no amount of the bars is above 0. */
export function hasNoAmount({ lines }: Drawing): boolean {
  return lines.every(
    ({ shape, values }) => shape === 'bars' && values.every((value) => !isValue(value) || value <= 0),
  );
}

/** The sum of the values; undefined if there is none. */
export function totalOf(values: readonly DrawnPoint[]): number | undefined {
  const present = values.filter((value) => isValue(value));
  return present.length === 0 ? undefined : present.reduce((sum, value) => sum + value, 0);
}

/** Indexes of the rows that have a value or a doubtful value. */
export function shownRows({ times, lines }: Drawing): number[] {
  const doubtful = new Set(lines.flatMap((line) => line.doubtful.map((value) => value.time)));
  return [...times.keys()].filter(
    (index) => doubtful.has(times[index] ?? 0) || lines.some(({ values }) => isValue(values[index])),
  );
}
