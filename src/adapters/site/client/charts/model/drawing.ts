import { MILLISECONDS } from '#domain/time.js';
import type { DisplayUnit } from '../../format/units.js';
import type { Quantity } from './quantities.js';
import type { ObservationReply } from '../../observations.js';
import type { SummaryReply } from './read.js';
import type { ShownRange } from './span.js';
import { localTime } from './zone.js';

/** A value of a line. The line is interrupted at null. At undefined, the line connects the values before and after. */
export type DrawnPoint = number | null | undefined;

export interface DrawnLine {
  readonly variable: string;
  /** One value for each time, in the display unit. */
  readonly values: readonly DrawnPoint[];
  /** Names of the failed checks of suspect values, by index in `values`. */
  readonly suspects: ReadonlyMap<number, readonly string[]>;
}

export interface Arrow {
  /** Time in ms since 1970. */
  readonly time: number;
  /** Direction from which the wind blows, in degrees. */
  readonly from: number;
}

/** The content of a chart. Times are in ms since 1970. */
export interface Drawing {
  /** Time of each row. For bars, the end of each interval. */
  readonly times: readonly number[];
  /** For bars only: the start of each interval. */
  readonly starts?: readonly number[];
  readonly lines: readonly DrawnLine[];
  /** For bars only: the sum from local midnight to the end of each interval. */
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
 * Computes the lines of a chart.
 *
 * @param interval reporting interval of the station in ms; 0 if it is unknown
 * @param columnLength the API divides the range into columns, and replies with only a few values for each column. This is the
 *   duration of one column in ms
 */
export function drawLines(
  { lines, arrows }: Quantity,
  { observations, quality }: ObservationReply,
  summaries: SummaryReply | undefined,
  unit: DisplayUnit,
  { interval, columnLength }: { readonly interval: number; readonly columnLength: number },
): Drawing {
  const sent = observations.time.map((seconds) => seconds * MILLISECONDS.second);
  const { times, rows } = addGapRows(sent, MAX_GAP * interval + columnLength);
  return {
    times,
    lines: lines.map(({ variable }) => {
      const column = [...(observations[variable] ?? [])];
      const checks = new Map<number, readonly string[]>();
      for (const entry of quality) {
        if (entry.variable !== variable) continue;
        if (entry.verdict === 'fail') column[entry.index] = null;
        else checks.set(entry.index, entry.checks);
      }
      const values: DrawnPoint[] = rows.map((row) => {
        const value = row === undefined ? null : column[row];
        return isValue(value) ? unit.convert(value) : undefined;
      });
      const suspects = new Map<number, readonly string[]>();
      for (const [index, row] of rows.entries()) {
        const failed = row === undefined ? undefined : checks.get(row);
        if (failed !== undefined && isValue(values[index])) suspects.set(index, failed);
      }
      markGaps(times, values, MAX_GAP * Math.max(interval, typicalDistance(times, values)) + columnLength);
      return { variable, values, suspects };
    }),
    arrows: arrows === undefined ? [] : arrowsOf(arrows, summaries),
  };
}

/**
 * Adds a row without values between rows that are more than `longest` ms apart.
 *
 * @returns the times, and for each row its number in `sent`; undefined for an added row
 */
function addGapRows(
  sent: readonly number[],
  longest: number,
): { readonly times: number[]; readonly rows: (number | undefined)[] } {
  const times: number[] = [];
  const rows: (number | undefined)[] = [];
  for (const [row, time] of sent.entries()) {
    const before = sent[row - 1];
    if (before !== undefined && time - before > longest) {
      times.push((before + time) / 2);
      rows.push(undefined);
    }
    times.push(time);
    rows.push(row);
  }
  return { times, rows };
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

/** Writes null between values that are more than `longest` ms apart, so that the line is interrupted there. */
export function markGaps(times: readonly number[], values: DrawnPoint[], longest: number): void {
  let before: number | undefined;
  for (const [index, value] of values.entries()) {
    if (!isValue(value)) continue;
    if (before !== undefined && (times[index] ?? 0) - (times[before] ?? 0) > longest) {
      values.fill(null, before + 1, index);
    }
    before = index;
  }
}

function arrowsOf(variable: string, reply: SummaryReply | undefined): Arrow[] {
  return (reply?.summaries ?? []).flatMap((summary) => {
    const direction = summary[variable]?.mean;
    if (typeof direction !== 'number') return [];
    return [{ time: (Date.parse(summary.start) + Date.parse(summary.end)) / 2, from: direction }];
  });
}

/** Computes bars of hourly or daily amounts. @param reply summaries that start at a local midnight, which may be before the range */
export function drawBars(
  { lines, hasDaySum }: Quantity,
  reply: SummaryReply,
  unit: DisplayUnit,
  { range, zone }: { readonly range: ShownRange; readonly zone: string },
): Drawing {
  const variable = lines[0]?.variable ?? '';
  let [day, daySum] = ['', 0];
  const bars = reply.summaries.map((summary) => {
    const [start, end] = [Date.parse(summary.start), Date.parse(summary.end)];
    const { date } = localTime(start, zone);
    if (date !== day) [day, daySum] = [date, 0];
    const amount = summary[variable]?.sum ?? null;
    if (amount === null) return { start, end, amount, daySum: null };
    daySum += amount;
    return { start, end, amount: unit.convert(amount), daySum: unit.convert(daySum) };
  });
  const shownBars = bars.filter(({ end }) => end > range.from);
  return {
    times: shownBars.map(({ end }) => end),
    starts: shownBars.map(({ start }) => start),
    lines: [{ variable, values: shownBars.map(({ amount }) => amount), suspects: new Map() }],
    arrows: [],
    ...(hasDaySum === true && reply.interval === 'hour' && { daySums: shownBars.map((bar) => bar.daySum) }),
  };
}

/** The smallest and the largest value of a line with their times. */
export interface Extremes {
  readonly min: number;
  readonly minTime: number;
  readonly max: number;
  readonly maxTime: number;
}

export function extremesOf(times: readonly number[], values: readonly DrawnPoint[]): Extremes | undefined {
  let extremes: Extremes | undefined;
  for (const [index, value] of values.entries()) {
    const time = times[index];
    if (value === undefined || value === null || time === undefined) continue;
    extremes ??= { min: value, minTime: time, max: value, maxTime: time };
    if (value < extremes.min) extremes = { ...extremes, min: value, minTime: time };
    if (value > extremes.max) extremes = { ...extremes, max: value, maxTime: time };
  }
  return extremes;
}

/** Index of the row at a time: for bars the interval that contains the time, otherwise the nearest row with a value; -1 if none. */
export function rowAt({ times, starts, lines }: Drawing, time: number): number {
  if (starts !== undefined) {
    return times.findIndex((end, index) => time < end && time >= (starts[index] ?? 0));
  }
  let best = -1;
  let distance = Number.POSITIVE_INFINITY;
  for (const [index, at] of times.entries()) {
    if (Math.abs(at - time) >= distance || !lines.some(({ values }) => isValue(values[index]))) continue;
    best = index;
    distance = Math.abs(at - time);
  }
  return best;
}

export function isValue(value: DrawnPoint): value is number {
  return value !== undefined && value !== null;
}

export function hasValues({ lines }: Drawing): boolean {
  return lines.some(({ values }) => values.some((value) => isValue(value)));
}

/** Indexes of the rows that have a value. */
export function shownRows({ times, lines }: Drawing): number[] {
  return [...times.keys()].filter((index) => lines.some(({ values }) => isValue(values[index])));
}
