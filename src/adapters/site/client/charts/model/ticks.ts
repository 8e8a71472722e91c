import { MILLISECONDS } from '#domain/time.js';
import type { ShownRange } from './span.js';
import { localTime, startsOfDays } from './zone.js';

/** A value axis whose ends are round numbers. */
export interface ValueAxis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
  /** Number of decimals of the tick labels. */
  readonly decimals: number;
}

export interface AxisLimits {
  /** Lowest possible start of the axis; 0 for amounts. */
  readonly floor?: number;
  /** Highest possible end of the axis. */
  readonly ceiling?: number;
  /** Minimum length of the axis, so that noise does not look like a change of the weather. */
  readonly minLength: number;
}

const ROUND_STEPS = [1, 2, 5, 10];

/**
 * Computes the axis for values from `low` to `high`.
 *
 * @param steps maximum number of steps; one more step can be needed so that both ends of the axis are round numbers
 */
export function valueAxis(
  low: number,
  high: number,
  { floor, ceiling, minLength }: AxisLimits,
  steps: number,
): ValueAxis {
  const middle = (low + high) / 2;
  let [from, to] = high - low >= minLength ? [low, high] : [middle - minLength / 2, middle + minLength / 2];
  if (floor !== undefined && (from < floor || floor === 0))
    [from, to] = [floor, Math.max(to, floor + minLength)];
  if (ceiling !== undefined && to > ceiling) to = ceiling;
  const rough = (to - from) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (ROUND_STEPS.find((round) => round * power >= rough * (1 - 1e-9)) ?? 10);
  const first = Math.floor(from / step + 1e-9);
  const last = Math.ceil(to / step - 1e-9);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toFixed(decimals)),
  );
  return { min: ticks[0] ?? low, max: ticks.at(-1) ?? high, ticks, decimals };
}

export interface TimeTick {
  readonly time: number;
  /**
   * What the label shows. A label of the kind `day` is a day with its weekday, and of the kind `date` a day without its weekday.
   * A label of the kind `year` is a month with its year: each January, and the first month of the chart.
   */
  readonly kind: 'hour' | 'day' | 'date' | 'month' | 'year';
}

/** Possible distances between two labels, in hours, days and months. The first distance at which the labels fit is used. */
const HOURS = [1, 2, 3, 6, 12];
const DAYS = [2, 5, 10];
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120];
/** Width of a label without a weekday, relative to a label with a weekday. */
const SHORT_LABEL = 0.65;

/**
 * Computes the labeled times: hours, local days or months.
 *
 * @param room number of labels such as `Mon 31 Dec` that fit on the axis
 */
export function timeTicks(range: ShownRange, zone: string, room: number): TimeTick[] {
  const length = range.to - range.from;
  const hours = HOURS.find((step) => length / (step * MILLISECONDS.hour) <= room);
  const starts = startsOfDays(range.from - MILLISECONDS.day, range.to, zone);
  const days = starts.filter((time) => time >= range.from);
  if (hours !== undefined && length <= 3 * MILLISECONDS.day) return hourTicks(range, zone, starts, hours);
  if (days.length <= room) return days.map((time) => ({ time, kind: 'day' }));
  const shortRoom = room / SHORT_LABEL;
  const step = DAYS.find((count) => days.length / count <= shortRoom);
  if (step !== undefined) return dayTicks(days, zone, step);
  const firsts = days.filter((time) => localTime(time, zone).date.endsWith('-01'));
  const months = MONTHS.find((count) => firsts.length / count <= shortRoom) ?? 120;
  /** Number of months since the start of the year 0. */
  const monthOf = (time: number) => {
    const [year, month] = localTime(time, zone).date.split('-').map(Number);
    return 12 * (year ?? 0) + (month ?? 1) - 1;
  };
  return firsts
    .filter((time) => monthOf(time) % months === 0)
    .map((time, index) => ({ time, kind: index === 0 || monthOf(time) % 12 === 0 ? 'year' : 'month' }));
}

function hourTicks(range: ShownRange, zone: string, starts: readonly number[], step: number): TimeTick[] {
  const ticks: TimeTick[] = [];
  for (const [index, start] of starts.entries()) {
    const end = Math.min(starts[index + 1] ?? Number.POSITIVE_INFINITY, range.to);
    // Each hour is converted to local time, because a local day can have 23 or 25 hours, or start at 01:00.
    let before = -1;
    for (let time = start; time < end; time += MILLISECONDS.hour) {
      const { hour, minute } = localTime(time, zone);
      const isRepeated = hour === before;
      before = hour;
      if (time < range.from || isRepeated) continue;
      if (time === start) ticks.push({ time, kind: 'day' });
      else if (hour % step === 0 && minute === 0) ticks.push({ time, kind: 'hour' });
    }
  }
  return ticks;
}

function dayTicks(days: readonly number[], zone: string, step: number): TimeTick[] {
  const ofMonth = (time: number) => Number(localTime(time, zone).date.slice(8, 10));
  return days
    .filter((time) => (ofMonth(time) - 1) % step === 0 && ofMonth(time) < 31)
    .map((time) => ({ time, kind: 'date' }));
}
