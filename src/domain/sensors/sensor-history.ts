import { MILLISECONDS } from '../time.js';
import { isLow, type SensorState } from './sensor-state.js';

/** The state of a sensor at one time. */
export interface SensorPoint extends Omit<SensorState, 'sensor'> {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
}

/** What is kept of the states of a sensor. */
export interface SensorHistory {
  /** The newest state; null if there is none. A field that the newest report lacks has the value of an earlier report. */
  readonly last: SensorPoint | null;
  /** Times of the newest reports with a battery and with a signal, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly batteryAt: number;
  readonly signalAt: number;
  /** The kept states, in strictly ascending order of their times. */
  readonly points: readonly SensorPoint[];
}

export const NO_HISTORY: SensorHistory = {
  last: null,
  batteryAt: -Infinity,
  signalAt: -Infinity,
  points: [],
};

/** Age in milliseconds, at the time of the newest point, from which a point is dropped. */
export const MAX_POINT_AGE = 400 * MILLISECONDS.day;
/** Age in milliseconds from which only the point of each UTC day with the lowest battery is kept. */
export const THINNED_AGE = 90 * MILLISECONDS.day;
/** Largest number of points of a sensor: one for each hour of 91 UTC days, and two for each of 310 days before. About 110 kB as text. */
export const MAX_POINTS = 91 * 24 + 310 * 2;
/** Shortest time in milliseconds between two points, unless the battery becomes low or is no longer low. */
const POINT_INTERVAL = MILLISECONDS.hour;
/**
 * Milliseconds for which a field that a report lacks keeps its value. Some devices send the battery and the signal in different
 * messages.
 */
const CARRIED_TIME = MILLISECONDS.day;
/** Smallest changes for which a point is kept: in percent, V and dBm. Reception varies by some percent all the time. */
const STEPS = { batteryPercent: 1, batteryVoltage: 0.05, signal: 5, reception: 5 } as const;
/** Differences of decimal numbers are not exact: 1.45 - 1.4 is less than 0.05. */
const ROUNDING = 1e-9;

/**
 * Adds a state to a history. A point is kept if the battery becomes low or is no longer low, and at most once an hour if a value has
 * changed by its step.
 *
 * @param point a point that is older than the newest state changes nothing
 * @returns a history with the same object `points` if no point was kept
 */
export function withState(history: SensorHistory, point: SensorPoint): SensorHistory {
  const { last, points } = history;
  if (last !== null && point.time < last.time) return history;
  const { time, batteryPercent, batteryVoltage, isBatteryLow, signal, reception } = point;
  const battery = defined({ batteryPercent, batteryVoltage, isBatteryLow });
  const reach = defined({ signal, reception });
  const hasBattery = Object.keys(battery).length > 0;
  const hasSignal = Object.keys(reach).length > 0;
  const [batteryAt, signalAt] = [hasBattery ? time : history.batteryAt, hasSignal ? time : history.signalAt];
  const newest: SensorPoint = {
    time,
    ...(hasBattery ? battery : time - batteryAt < CARRIED_TIME && batteryOf(last)),
    ...(hasSignal ? reach : time - signalAt < CARRIED_TIME && signalOf(last)),
  };
  return {
    last: newest,
    batteryAt,
    signalAt,
    points: isKept(points, newest) ? bounded([...points, newest]) : points,
  };
}

/** Adds the points and the newest state of a later history to an earlier one. */
export function mergedHistory(earlier: SensorHistory, later: SensorHistory): SensorHistory {
  const merged = later.points.reduce(withState, earlier);
  if (later.last === null) return merged;
  // The newest state may have fields of earlier reports, which do not count as reported again.
  return {
    ...withState(merged, later.last),
    batteryAt: Math.max(earlier.batteryAt, later.batteryAt),
    signalAt: Math.max(earlier.signalAt, later.signalAt),
  };
}

/**
 * The time since which the battery has been low, or has not been low, in milliseconds since 1970-01-01T00:00:00Z.
 *
 * @param below as in `isLow`
 */
export function sinceOf({ last, points }: SensorHistory, below?: number): number | null {
  if (last === null) return null;
  const other = points.findLastIndex((point) => isLow(point, below) !== isLow(last, below));
  return points[other + 1]?.time ?? last.time;
}

function isKept(points: readonly SensorPoint[], point: SensorPoint): boolean {
  const [before, newest] = [points.at(-2), points.at(-1)];
  if (newest === undefined) return true;
  if (point.time - newest.time >= POINT_INTERVAL) return differs(newest, point);
  // A battery that is low in turns, as in frost, has at most two points an hour.
  const mayBeKept = before === undefined || point.time - before.time >= POINT_INTERVAL;
  return mayBeKept && point.time > newest.time && isLow(newest) !== isLow(point);
}

function differs(a: SensorPoint, b: SensorPoint): boolean {
  if (a.isBatteryLow !== b.isBatteryLow || isLow(a) !== isLow(b)) return true;
  return (Object.keys(STEPS) as (keyof typeof STEPS)[]).some((field) => {
    const [one, other] = [a[field], b[field]];
    if (one === undefined || other === undefined) return one !== other;
    return Math.abs(one - other) >= STEPS[field] - ROUNDING;
  });
}

/**
 * Thins the days that have become old, and drops the points that have become too old. If there are more than `MAX_POINTS`, further days
 * are thinned, the oldest first.
 */
function bounded(points: readonly SensorPoint[]): readonly SensorPoint[] {
  const [oldest, before, newest] = [points[0], points.at(-2), points.at(-1)];
  if (oldest === undefined || before === undefined || newest === undefined) return points;
  const thinned = dayOf(newest.time - THINNED_AGE);
  const isOld = ({ time }: SensorPoint) => time <= newest.time - MAX_POINT_AGE;
  const isUnchanged = dayOf(before.time - THINNED_AGE) === thinned && !isOld(oldest);
  if (isUnchanged && points.length <= MAX_POINTS) return points;
  const byDay = new Map<number, SensorPoint[]>();
  for (const point of points) {
    const day = dayOf(point.time);
    const own = byDay.get(day);
    if (own === undefined) byDay.set(day, [point]);
    else own.push(point);
  }
  let left = points.length;
  const kept: SensorPoint[] = [];
  for (const [day, own] of byDay) {
    const shown = (day < thinned || left > MAX_POINTS ? thinnedDay(own) : own).filter(
      (point) => !isOld(point),
    );
    left -= own.length - shown.length;
    kept.push(...shown);
  }
  return kept;
}

const dayOf = (time: number) => Math.floor(time / MILLISECONDS.day);

/** The point of a day with the lowest battery. If the battery was changed later that day, the last point of the day too. */
function thinnedDay(points: readonly SensorPoint[]): readonly SensorPoint[] {
  const lowest = points.reduce((least, point) => (isLower(point, least) ? point : least));
  const last = points.at(-1) as SensorPoint;
  return isLow(last) === isLow(lowest) ? [lowest] : [lowest, last];
}

function isLower(a: SensorPoint, b: SensorPoint): boolean {
  if (isLow(a) !== isLow(b)) return isLow(a);
  const { batteryPercent: percent = Infinity, batteryVoltage: voltage = Infinity } = a;
  const { batteryPercent: otherPercent = Infinity, batteryVoltage: otherVoltage = Infinity } = b;
  return percent === otherPercent ? voltage < otherVoltage : percent < otherPercent;
}

function batteryOf(point: SensorPoint | null): Partial<SensorPoint> {
  const { batteryPercent, batteryVoltage, isBatteryLow } = point ?? {};
  return defined({ batteryPercent, batteryVoltage, isBatteryLow });
}

function signalOf(point: SensorPoint | null): Partial<SensorPoint> {
  const { signal, reception } = point ?? {};
  return defined({ signal, reception });
}

function defined(fields: {
  readonly [K in keyof SensorPoint]?: SensorPoint[K] | undefined;
}): Partial<SensorPoint> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
