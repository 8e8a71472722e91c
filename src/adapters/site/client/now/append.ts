import { MILLISECONDS } from '#domain/time.js';
import type { Newest, NewestValue } from '../api.js';
import type { LiveChange } from '../live/live-stream.js';
import type { RibbonHour } from '../ribbon/ribbon-model.js';
import type { SparkValues } from './model/spark.js';
import type { Now } from './read-now.js';

/**
 * Appends newest values to the lines of the last 24 hours, so that pictures follow events without a reading. Rejected values and values
 * that a line already contains are left out, and values older than a day are removed.
 */
export function appendNewest(lines: Now['lines'], latest: Newest): Now['lines'] {
  const appended = Object.entries(latest).flatMap(([name, { time, value, verdict }]) => {
    const line = lines[name] ?? { times: [], values: [] };
    const seconds = Date.parse(time) / MILLISECONDS.second;
    const known = verdict === 'suspect' ? (line.suspects?.times ?? []) : line.times;
    if (verdict === 'fail' || seconds <= (known.at(-1) ?? -Infinity)) return [];
    const from = seconds - MILLISECONDS.day / MILLISECONDS.second;
    if (verdict === 'suspect') {
      const suspects = line.suspects ?? { times: [], values: [] };
      return [[name, { ...line, suspects: append(suspects, seconds, value, from) }] as const];
    }
    return [[name, { ...line, ...append(line, seconds, value, from) }] as const];
  });
  return appended.length === 0 ? lines : { ...lines, ...Object.fromEntries(appended) };
}

function append(
  { times, values }: SparkValues,
  time: number,
  value: number,
  from: number,
): Pick<SparkValues, 'times' | 'values'> {
  const start = times.findIndex((known) => known >= from);
  const kept = start === -1 ? times.length : start;
  return { times: [...times.slice(kept), time], values: [...values.slice(kept), value] };
}

const [RAIN, SPEED, DIRECTION] = ['precipitation_amount', 'wind_speed', 'wind_from_direction'] as const;

/** The values of an event, and the values that were shown before it. */
export interface NewestValues {
  readonly before: Newest;
  readonly latest: Newest;
}

/**
 * Adds newest values to the rain and the wind of the running hour, so that bars and barbs follow events without a reading. A value
 * stands for the time since the value before it. Values that did not pass quality control are left out, as in the summaries of the API,
 * and hours that ended more than a day ago are removed.
 */
export function appendToHours(
  hours: readonly RibbonHour[],
  { before, latest }: NewestValues,
): readonly RibbonHour[] {
  const last = hours.at(-1);
  const added = [RAIN, SPEED, DIRECTION].flatMap((name): NewestValue[] => {
    const newest = latest[name];
    const isNew = newest !== undefined && newest.time > (before[name]?.time ?? '');
    return isNew && newest.verdict === 'pass' ? [newest] : [];
  });
  const [newest] = added;
  if (newest === undefined) return hours;
  const time = Date.parse(newest.time);
  // A local hour begins at another minute in some time zones. The value of a full hour belongs to the hour that ends then.
  const shift = (last?.start ?? 0) % MILLISECONDS.hour;
  const start = Math.ceil((time - shift) / MILLISECONDS.hour - 1) * MILLISECONDS.hour + shift;
  if (last !== undefined && start < last.start) return hours;
  const hour = last?.start === start ? last : { start };
  const valueOf = (name: string) => added.find((one) => one === latest[name])?.value;
  const share = (name: string) => {
    const since = Math.max(start, Date.parse(before[name]?.time ?? '') || start);
    return (time - since) / (time - start);
  };
  const [rain, speed, direction] = [valueOf(RAIN), valueOf(SPEED), valueOf(DIRECTION)];
  const kept = hours.filter((one) => one.start < start && one.start >= start - MILLISECONDS.day);
  return [
    ...kept,
    {
      ...hour,
      ...(rain !== undefined && { rain: rounded((hour.rain ?? 0) + rain) }),
      ...(speed !== undefined && { speed: rounded(moved(hour.speed, speed, share(SPEED))) }),
      ...(direction !== undefined && {
        direction: rounded(movedDirection(hour.direction, direction, share(DIRECTION))),
      }),
    },
  ];
}

const rounded = (value: number) => Math.round(value * 100) / 100;

/** The mean of a time, of which `value` is the mean of the last `share`. */
const moved = (mean: number | null | undefined, value: number, share: number) =>
  mean === null || mean === undefined ? value : mean + (value - mean) * share;

/** As `moved` for directions in degrees, over the shorter way around the circle. */
function movedDirection(mean: number | null | undefined, value: number, share: number): number {
  if (mean === null || mean === undefined) return value;
  const turn = ((value - mean + 540) % 360) - 180;
  return (mean + turn * share + 360) % 360;
}

/** Appends derived quantities of an event to the lines of the last 24 hours. */
export function appendDerived(lines: Now['lines'], derived: LiveChange['derived'] = {}): Now['lines'] {
  const values = Object.entries(derived).map(([name, { time, value }]) => [
    name,
    { time, value, verdict: 'pass' as const },
  ]);
  return appendNewest(lines, Object.fromEntries(values) as Newest);
}
