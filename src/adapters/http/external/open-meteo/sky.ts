import { getMoonIllumination, getMoonTimes, getPosition, getTimes } from 'suncalc';
import { MILLISECONDS } from '#domain/time.js';
import type { SkyName } from './daily-names.js';

interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** Altitude of the sun in degrees at sunrise and sunset, with the refraction that suncalc adds at the horizon. */
const SUNSET_ALTITUDE = -0.349;

/** 1 by day and 0 by night. @param time milliseconds since 1970-01-01T00:00:00Z */
export function isDay(time: number, { latitude, longitude }: Position): number {
  return getPosition(new Date(time), latitude, longitude).altitude >= SUNSET_ALTITUDE ? 1 : 0;
}

/**
 * What the sun or the moon does on a day of 24 hours: times in seconds since 1970-01-01T00:00:00Z, durations in seconds, the phase of the
 * moon as a fraction of its month. NaN if there is none. As in Open-Meteo, the sun of a polar day rises at the begin of the day and sets at
 * its end.
 *
 * @param start begin of the day, in milliseconds since 1970-01-01T00:00:00Z
 */
export function skyOf(name: SkyName, start: number, { latitude, longitude }: Position): number {
  const [noon, end] = [start + MILLISECONDS.day / 2, start + MILLISECONDS.day];
  if (name === 'moon_phase') return getMoonIllumination(new Date(noon)).phase;
  if (name === 'moonrise' || name === 'moonset') {
    // `getMoonTimes` returns the times of one UTC day. Two of these overlap a day.
    for (const day of [start, end]) {
      const { rise, set } = getMoonTimes(new Date(day), latitude, longitude);
      const time = (name === 'moonrise' ? rise : set)?.getTime() ?? Number.NaN;
      if (time >= start && time < end) return Math.round(time / 1000);
    }
    return Number.NaN;
  }
  const { sunrise, sunset, alwaysUp, alwaysDown } = getTimes(new Date(noon), latitude, longitude);
  if (alwaysDown === true) return name === 'daylight_duration' ? 0 : Number.NaN;
  const [rise, set] =
    alwaysUp === true ? [start, end] : [sunrise?.getTime() ?? Number.NaN, sunset?.getTime() ?? Number.NaN];
  if (name === 'daylight_duration') return (set - rise) / 1000;
  return Math.round((name === 'sunrise' ? rise : set) / 1000);
}
