import { nights } from './night.js';
import type { ShownRange } from './span.js';
import { groundOf, type Ground } from './steps.js';
import { mondaysOf, monthStarts, type TimeTick, timeTicks } from './ticks.js';
import { localTime, startsOfDays } from './zone.js';

/** The background and the labels of the time axis, which all charts of a range share. */
export interface TimeAxis {
  readonly nights: readonly ShownRange[];
  readonly lines: Ground['lines'];
  /** Times of the vertical lines. */
  readonly starts: readonly number[];
  /** @param width width of the axis in pixels */
  ticks(width: number): readonly TimeTick[];
}

/** Width of a label such as `Mon 31 Dec`, in pixels. */
const TICK_WIDTH = 88;
/** Number of labels for which an axis has room. @param width in pixels */
export const roomFor = (width: number) => Math.max(2, Math.floor(width / TICK_WIDTH));

export function timeAxisOf(
  range: ShownRange,
  {
    latitude,
    longitude,
    time_zone: zone,
  }: { readonly latitude: number; readonly longitude: number; readonly time_zone: string },
): TimeAxis {
  const { hasNights, lines } = groundOf(range);
  const byWidth = new Map<number, TimeTick[]>();
  const starts = {
    midnights: () => startsOfDays(range.from, range.to, zone),
    weeks: () => mondaysOf(range, zone),
    months: () => monthStarts(range, zone),
    years: () => monthStarts(range, zone).filter((time) => localTime(time, zone).date.slice(5, 7) === '01'),
  };
  return {
    nights: hasNights ? nights(range, latitude, longitude) : [],
    lines,
    starts: starts[lines]().filter((time) => time > range.from && time < range.to),
    ticks: (width) => {
      let ticks = byWidth.get(width);
      if (ticks === undefined) byWidth.set(width, (ticks = timeTicks(range, zone, roomFor(width))));
      return ticks;
    },
  };
}
