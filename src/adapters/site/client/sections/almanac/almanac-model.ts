import { getMoonIllumination, getMoonPosition, getMoonTimes, getPosition, getTimes } from 'suncalc';
import { MILLISECONDS } from '#domain/time.js';
import { addDays, localTime, startOfDay } from '../../charts/model/zone.js';

export interface SunTimes {
  readonly rise: Date | null;
  readonly set: Date | null;
}

/**
 * `rise` is the start of the twilight in the morning, and `set` is its end in the evening. Both are null if the sun does not
 * cross the limit of the twilight.
 */
export interface Twilight extends SunTimes {
  /** Whether the sun stays above the limit of the twilight all night, so that the twilight does not end. */
  readonly isEndless: boolean;
}

/** The times of the sun on a local day. */
export interface SunDay {
  /** `rise` and `set` are null in the polar day and in the polar night. */
  readonly sun: SunTimes & { readonly noon: Date };
  readonly polar: 'day' | 'night' | undefined;
  /** Time from sunrise to sunset in ms: the length of the whole day in the polar day, 0 in the polar night. */
  readonly dayLength: number;
  readonly civil: Twilight;
  readonly nautical: Twilight;
  readonly astronomical: Twilight;
}

export interface Almanac extends SunDay {
  readonly moon: {
    readonly rises: readonly Date[];
    readonly sets: readonly Date[];
    /** Whether the moon is above the horizon on a day without moonrise and moonset; undefined on all other days. */
    readonly isUp: boolean | undefined;
    /** Index of the phase, from 0 (new moon) through 4 (full moon) to 7 (waning crescent). */
    readonly phase: number;
    /** Illuminated fraction of the disk, 0 to 1. */
    readonly fraction: number;
    readonly isWaxing: boolean;
  };
}

interface Site {
  readonly latitude: number;
  readonly longitude: number;
  readonly time_zone: string;
}

/** Computes the times of sun and moon on the local day that contains `time`. @param time in ms since 1970 */
export function almanacOf(time: number, site: Site): Almanac {
  const { latitude, longitude } = site;
  const [from, to] = dayAt(time, site);
  return { ...sunDayOf(time, site), moon: moonOf(from, to, time, latitude, longitude) };
}

/** Computes the times of the sun on the local day that contains `time`. @param time in ms since 1970 */
export function sunDayOf(time: number, site: Site): SunDay {
  const { latitude, longitude } = site;
  const [from, to] = dayAt(time, site);
  const middle = (from + to) / 2;
  const sun = getTimes(new Date(middle), latitude, longitude);
  const { sunrise, sunset } = sun;
  let polar: SunDay['polar'];
  if (sun.alwaysUp === true) polar = 'day';
  if (sun.alwaysDown === true) polar = 'night';
  const highest = getPosition(sun.solarNoon, latitude, longitude).altitude;
  /** @param limit lower limit of the twilight, in degrees below the horizon */
  const twilight = (rise: Date | null, set: Date | null, limit: number): Twilight => ({
    rise,
    set,
    isEndless: rise === null && set === null && highest > -limit,
  });
  const length = sunrise && sunset ? sunset.getTime() - sunrise.getTime() : 0;
  return {
    sun: { rise: sunrise, set: sunset, noon: sun.solarNoon },
    polar,
    dayLength: polar === 'day' ? to - from : length,
    civil: twilight(sun.dawn, sun.dusk, 6),
    nautical: twilight(sun.nauticalDawn, sun.nauticalDusk, 12),
    astronomical: twilight(sun.nightEnd, sun.night, 18),
  };
}

/** Start and end of the local day that contains `time`, in ms since 1970. */
function dayAt(time: number, { time_zone: zone }: Site): readonly [from: number, to: number] {
  const { date } = localTime(time, zone);
  return [startOfDay(date, zone), startOfDay(addDays(date, 1), zone)];
}

function moonOf(
  from: number,
  to: number,
  time: number,
  latitude: number,
  longitude: number,
): Almanac['moon'] {
  const [rises, sets]: [Date[], Date[]] = [[], []];
  // `getMoonTimes` returns the times of one UTC day. The loop reads all UTC days that can overlap the local day.
  for (let day = from - MILLISECONDS.day; day < to + MILLISECONDS.day; day += MILLISECONDS.day) {
    const { rise, set } = getMoonTimes(new Date(day), latitude, longitude);
    if (isIn(rise, from, to)) rises.push(rise);
    if (isIn(set, from, to)) sets.push(set);
  }
  const { phase, fraction, waxing } = getMoonIllumination(new Date(time));
  const stays = rises.length === 0 && sets.length === 0;
  const isUp = stays
    ? getMoonPosition(new Date((from + to) / 2), latitude, longitude).altitude > 0
    : undefined;
  return { rises, sets, isUp, phase: phaseOf(phase), fraction, isWaxing: waxing };
}

const isIn = (time: Date | undefined, from: number, to: number): time is Date =>
  time !== undefined && time.getTime() >= from && time.getTime() < to;

/**
 * Largest distance from the exact phase, in lunar months, at which the phase is still named new moon, quarter or full moon. The
 * value is one day.
 */
const PHASE_WIDTH = 1 / 29.53;

/**
 * Finds the phase of the moon.
 *
 * @param phase fraction of the lunar month: 0 and 1 are new moon, 0.5 is full moon
 * @returns index of the phase, 0 to 7
 */
export function phaseOf(phase: number): number {
  const quarter = Math.round(phase * 4);
  if (Math.abs(phase * 4 - quarter) / 4 <= PHASE_WIDTH) return (quarter % 4) * 2;
  return Math.floor(phase * 4) * 2 + 1;
}

/** The sun at a moment of a day. */
export interface SunPoint {
  /** Share of the local day that has passed, 0 to 1. */
  readonly share: number;
  /** Height above the horizon in degrees; below it negative. The refraction at the horizon is included. */
  readonly altitude: number;
}

/** Distance of the points of an arc in ms. */
const ARC_STEP = 20 * MILLISECONDS.minute;

/** The way of the sun over the local day that contains `time`, and the sun at `time`. @param time in ms since 1970 */
export function sunArc(
  time: number,
  { latitude, longitude, time_zone: zone }: Site,
): { readonly points: readonly SunPoint[]; readonly current: SunPoint } {
  const { date } = localTime(time, zone);
  const [from, to] = [startOfDay(date, zone), startOfDay(addDays(date, 1), zone)];
  const pointAt = (at: number): SunPoint => ({
    share: (at - from) / (to - from),
    altitude: getPosition(new Date(at), latitude, longitude).altitude - SUNSET_ALTITUDE,
  });
  const points: SunPoint[] = [];
  for (let at = from; at < to; at += ARC_STEP) points.push(pointAt(at));
  return { points: [...points, pointAt(to)], current: pointAt(time) };
}

/** Altitude of the sun at sunset in degrees, as suncalc computes it: -0.833 plus the refraction of suncalc at the horizon. */
const SUNSET_ALTITUDE = -0.349;

/** Altitude of the sun in degrees at the end of the nautical twilight. */
const NIGHT_ALTITUDE = -12;

/** The light of the sun at a station, from which the kiosk takes its colors. */
export function lightOf(
  time: number,
  { latitude, longitude }: Pick<Site, 'latitude' | 'longitude'>,
): 'day' | 'dusk' | 'night' {
  const { altitude } = getPosition(new Date(time), latitude, longitude);
  if (altitude >= SUNSET_ALTITUDE) return 'day';
  return altitude >= NIGHT_ALTITUDE ? 'dusk' : 'night';
}
