import { MILLISECONDS } from '#domain/time.js';
import { nights } from '../model/night.js';
import type { ShownRange } from '../model/span.js';
import { type TimeTick, timeTicks } from '../model/ticks.js';
import { startsOfDays } from '../model/zone.js';
import type { Backdrop } from './backdrop.js';
import type { PlotSetup } from './setup.js';

/** The background and the labels of the time axis, which all charts of a range share. */
export interface TimeAxis {
  readonly backdrop: Backdrop;
  /** @param room number of labels such as `Mon 31 Dec` that fit on the axis */
  ticks(room: number): readonly TimeTick[];
}

/** Longest range in ms for which nights and midnights are computed. In longer ranges, a day is too narrow to show them. */
const MAX_RANGE_WITH_DAYS = 100 * MILLISECONDS.day;

const axes = new WeakMap<ShownRange, TimeAxis>();

/**
 * Returns the time axis of a range. An axis is computed only once for a range, because all charts of a page share the same range
 * object.
 */
export function timeAxisOf(range: ShownRange, station: PlotSetup['station']): TimeAxis {
  let axis = axes.get(range);
  if (axis === undefined) axes.set(range, (axis = computeTimeAxis(range, station)));
  return axis;
}

function computeTimeAxis(range: ShownRange, { latitude, longitude, zone }: PlotSetup['station']): TimeAxis {
  const hasDays = range.to - range.from <= MAX_RANGE_WITH_DAYS;
  const byRoom = new Map<number, TimeTick[]>();
  return {
    backdrop: {
      nights: hasDays ? nights(range, latitude, longitude) : [],
      midnights: hasDays ? startsOfDays(range.from, range.to, zone) : [],
    },
    ticks: (room) => {
      let ticks = byRoom.get(room);
      if (ticks === undefined) byRoom.set(room, (ticks = timeTicks(range, zone, room)));
      return ticks;
    },
  };
}
