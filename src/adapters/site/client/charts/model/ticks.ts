import { MILLISECONDS } from '#domain/time.js';
import type { ShownRange } from './span.js';
import { localTime, startOfDay, startsOfDays } from './zone.js';

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
   * What the label shows. A label of the kind `day` is a day with its weekday, `weekday` the weekday alone, and `date` a day
   * without its weekday. A label of the kind `monthOfYear` is a month with its year: each January, and the first month of the
   * chart.
   */
  readonly kind: 'hour' | 'day' | 'weekday' | 'date' | 'month' | 'monthOfYear' | 'year';
  /** End of the day, month or year that the label names. The label stands in its middle. Absent if it stands at `time`. */
  readonly end?: number;
}

/** Possible distances between two labels, in hours, months and years. The first distance at which the labels fit is used. */
const HOURS = [1, 2, 3, 6, 12];
const MONTHS = [1, 2, 3, 6];
const YEARS = [1, 2, 5, 10, 20, 50];
/** Widths of a label without a weekday, and of a weekday alone, relative to a label with both. */
const SHORT_LABEL = 0.65;
const WEEKDAY = 0.45;
/** Longest range in ms whose weeks are labeled. */
const MAX_RANGE_OF_WEEKS = 100 * MILLISECONDS.day;

/**
 * Computes the labeled times: hours, local days, Mondays, months or years.
 *
 * @param room number of labels such as `Mon 31 Dec` that fit on the axis
 */
export function timeTicks(range: ShownRange, zone: string, room: number): TimeTick[] {
  const length = range.to - range.from;
  const hours = HOURS.find((step) => length / (step * MILLISECONDS.hour) <= room);
  const days = length / MILLISECONDS.day;
  if (hours !== undefined && days <= 3) {
    return hourTicks(range, zone, startsOfDays(range.from - MILLISECONDS.day, range.to, zone), hours);
  }
  if (days <= room / WEEKDAY) {
    const starts = startsOfDays(range.from - MILLISECONDS.day, range.to + MILLISECONDS.day, zone);
    return withEnds(starts, range).map((tick) => ({ ...tick, kind: days <= room ? 'day' : 'weekday' }));
  }
  if (days / 7 <= room / SHORT_LABEL && length <= MAX_RANGE_OF_WEEKS)
    return mondaysOf(range, zone).map((time) => ({ time, kind: 'date' }));
  const months = monthStarts(range, zone);
  const step = MONTHS.find((count) => months.length / count <= room / SHORT_LABEL);
  if (step !== undefined) {
    const ticks = step === 1 ? withEnds(months, range) : months.map((time) => ({ time }));
    return ticks
      .filter(
        ({ time }) =>
          step === 1 || (time >= range.from && time < range.to && monthOf(time, zone) % step === 0),
      )
      .map((tick, index) => ({
        ...tick,
        kind: index === 0 || monthOf(tick.time, zone) === 0 ? 'monthOfYear' : 'month',
      }));
  }
  const years = months.filter((time) => monthOf(time, zone) === 0);
  const yearAfter = String(Number(localTime(range.to, zone).date.slice(0, 4)) + 1).padStart(4, '0');
  const everyYears = YEARS.find((count) => years.length / count <= room / WEEKDAY) ?? 50;
  const ticks =
    everyYears === 1
      ? withEnds([...years, startOfDay(`${yearAfter}-01-01`, zone)], range)
      : years.filter((time) => time >= range.from && time < range.to).map((time) => ({ time }));
  return ticks
    .filter(({ time }) => Number(localTime(time, zone).date.slice(0, 4)) % everyYears === 0)
    .map((tick) => ({ ...tick, kind: 'year' }));
}

/** The times of successive starts with the next start as the end of each, without those that end before the range. */
function withEnds(starts: readonly number[], { from, to }: ShownRange): { time: number; end: number }[] {
  return starts.flatMap((time, index) => {
    const end = starts[index + 1];
    return end === undefined || end <= from || time >= to ? [] : [{ time, end }];
  });
}

/** The local midnights of Mondays in a range. */
export function mondaysOf(range: ShownRange, zone: string): number[] {
  return startsOfDays(range.from, range.to, zone).filter(
    (time) => new Date(`${localTime(time, zone).date}T00:00:00Z`).getUTCDay() === 1,
  );
}

/** Number of the month of a time, from 0. */
const monthOf = (time: number, zone: string) => Number(localTime(time, zone).date.slice(5, 7)) - 1;

/** The starts of local months from the month of the start of the range to the month after its end. */
export function monthStarts({ from, to }: ShownRange, zone: string): number[] {
  const starts: number[] = [];
  const [year = 0, month = 1] = localTime(from, zone).date.split('-').map(Number);
  for (let index = month - 1; ; index += 1) {
    const start = startOfDay(new Date(Date.UTC(year, index, 1)).toISOString().slice(0, 10), zone);
    starts.push(start);
    if (start >= to) return starts;
  }
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
