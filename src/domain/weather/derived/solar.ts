import { MILLISECONDS } from '../../time.js';

/** Position of the sun by FAO-56 (1998), chapter 3. Angles are in radians. The altitude is exact to about half a degree. */
export interface Sun {
  readonly declination: number;
  /** Solar time since noon as an angle: mean solar time, corrected by the equation of time. */
  readonly hourAngle: number;
  /** Inverse square of the relative distance of the earth. */
  readonly inverseDistance: number;
}

const ANGLE_OF_HOUR = Math.PI / 12;
/** The hour angle of the sun is 0 at noon, and about -2π and 2π at noon of the days before and after. */
const NOONS = [-2 * Math.PI, 0, 2 * Math.PI] as const;
const degrees = (value: number) => (value * Math.PI) / 180;

/** @param time milliseconds since 1970-01-01T00:00:00Z @param longitude degrees east */
export function sunAt(time: number, longitude: number): Sun {
  // The day of the year is the day in local solar time.
  const solar = time + (longitude / 15) * MILLISECONDS.hour;
  const yearStart = Date.UTC(new Date(solar).getUTCFullYear(), 0, 1);
  const day = Math.floor((solar - yearStart) / MILLISECONDS.day) + 1;
  const angle = (2 * Math.PI * day) / 365;
  const season = (2 * Math.PI * (day - 81)) / 364;
  const equationOfTime = 0.1645 * Math.sin(2 * season) - 0.1255 * Math.cos(season) - 0.025 * Math.sin(season);
  const hour = (((solar % MILLISECONDS.day) + MILLISECONDS.day) % MILLISECONDS.day) / MILLISECONDS.hour;
  return {
    declination: 0.409 * Math.sin(angle - 1.39),
    hourAngle: ANGLE_OF_HOUR * (hour + equationOfTime - 12),
    inverseDistance: 1 + 0.033 * Math.cos(angle),
  };
}

/** Sine of the altitude of the sun: FAO-56, equation 46. @param latitude degrees north */
export function sineOfAltitude({ declination, hourAngle }: Sun, latitude: number): number {
  const phi = degrees(latitude);
  return Math.sin(phi) * Math.sin(declination) + Math.cos(phi) * Math.cos(declination) * Math.cos(hourAngle);
}

/**
 * Sine of the largest altitude of the sun between two times.
 *
 * @param from milliseconds since 1970-01-01T00:00:00Z
 * @param to at most about a day later
 */
export function highestSine(
  from: number,
  to: number,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
): number {
  const sun = sunAt((from + to) / 2, longitude);
  const half = (ANGLE_OF_HOUR * (to - from)) / 2 / MILLISECONDS.hour;
  const [begin, end] = [sun.hourAngle - half, sun.hourAngle + half];
  const hasNoon = NOONS.some((noon) => begin <= noon && noon <= end);
  const hourAngle = hasNoon ? 0 : Math.cos(begin) > Math.cos(end) ? begin : end;
  return sineOfAltitude({ ...sun, hourAngle }, latitude);
}

/** Hour angle of sunset: FAO-56, equation 25; 0 in the polar night, π on a day without night. */
export function sunsetAngle({ declination }: Sun, latitude: number): number {
  const cosine = -Math.tan(degrees(latitude)) * Math.tan(declination);
  return Math.acos(Math.max(-1, Math.min(1, cosine)));
}

/**
 * Altitude of the center of the sun at sunrise and sunset, in degrees. The upper edge of the sun is then at the horizon: 34′ of
 * refraction and 16′ of half the apparent diameter. US Naval Observatory, Rise, Set, and Twilight Definitions.
 */
const SUNRISE_ALTITUDE = -50 / 60;
export const SINE_OF_SUNRISE = Math.sin(degrees(SUNRISE_ALTITUDE));

/**
 * The time between two times in which the sun is up (`SINE_OF_SUNRISE`), in whole milliseconds.
 *
 * @param from milliseconds since 1970-01-01T00:00:00Z
 * @param to milliseconds since 1970-01-01T00:00:00Z
 */
export function timeOfSun(
  from: number,
  to: number,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
): number {
  const [offset, phi] = [(longitude / 15) * MILLISECONDS.hour, degrees(latitude)];
  let angles = 0;
  // The declination is constant within a day of solar time, which begins at `day * MILLISECONDS.day - offset`.
  for (let day = Math.floor((from + offset) / MILLISECONDS.day); ; day += 1) {
    const begin = Math.max(from, day * MILLISECONDS.day - offset);
    const end = Math.min(to, (day + 1) * MILLISECONDS.day - offset);
    if (begin >= to) break;
    const { declination, hourAngle } = sunAt((begin + end) / 2, longitude);
    const cosine =
      (SINE_OF_SUNRISE - Math.sin(phi) * Math.sin(declination)) / (Math.cos(phi) * Math.cos(declination));
    const sunset = Math.acos(Math.max(-1, Math.min(1, cosine)));
    const half = (ANGLE_OF_HOUR * (end - begin)) / 2 / MILLISECONDS.hour;
    for (const noon of NOONS)
      angles += Math.max(
        0,
        Math.min(noon + sunset, hourAngle + half) - Math.max(noon - sunset, hourAngle - half),
      );
  }
  return Math.round((angles / ANGLE_OF_HOUR) * MILLISECONDS.hour);
}

/** Solar constant, W/m². */
export const SOLAR_CONSTANT = 1367;
/** Solar constant, MJ/(m² min), rounded as in FAO-56. */
const SOLAR_CONSTANT_A_MINUTE = 0.082;
const MINUTES_OF_RADIAN = 720 / Math.PI;

/**
 * Extraterrestrial radiation on a horizontal surface between two hour angles, in MJ/m²: FAO-56, equations 21 and 28. The time
 * between sunset and sunrise gives no radiation.
 */
export function extraterrestrialRadiation(sun: Sun, latitude: number, from: number, to: number): number {
  const sunset = sunsetAngle(sun, latitude);
  const [begin, end] = [Math.max(-sunset, from), Math.min(sunset, to)];
  if (begin >= end) return 0;
  const phi = degrees(latitude);
  const high = (end - begin) * Math.sin(phi) * Math.sin(sun.declination);
  const wide = Math.cos(phi) * Math.cos(sun.declination) * (Math.sin(end) - Math.sin(begin));
  return MINUTES_OF_RADIAN * SOLAR_CONSTANT_A_MINUTE * sun.inverseDistance * (high + wide);
}
