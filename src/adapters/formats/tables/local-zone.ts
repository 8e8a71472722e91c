import { MILLISECONDS, parseLocalTime } from '#domain/time.js';
import type { ZonePlan } from '../files/file-plan.js';

/**
 * Finds the instants of local times. The interface has only the function of a calendar that is needed to read the times of files.
 */
export interface LocalTimes {
  /** The instants of a local time (`2013-01-01T00:00:00`): none, one or two, in rising order. */
  instantsOf(local: string, timeZone: string): readonly number[];
}

/** Converts local times to instants. */
export interface LocalZone {
  /** The name for messages: `Europe/Oslo`, `UTC`, `+01:00`. */
  readonly name: string;
  /**
   * The instants of a local time, in milliseconds since 1970-01-01T00:00:00Z and in rising order: none if clocks skip the local
   * time, two if clocks are set back over it.
   *
   * @param local the local time as milliseconds since 1970-01-01T00:00:00 of the same clock
   */
  instantsOf(local: number): readonly number[];
}

/** Largest number of hours of local time for which the offset from UTC is cached. */
const MAX_HOURS = 100_000;
const { hour: HOUR, minute: MINUTE } = MILLISECONDS;

/** @param stationZone the time zone of the station, as `Station.timeZone` */
export function localZone(plan: ZonePlan, stationZone: string, calendar: LocalTimes): LocalZone {
  if (plan === 'utc') return fixed('UTC', 0);
  if (plan === 'station') return civil(stationZone, calendar);
  if (plan === 'station-standard') return standard(stationZone, calendar);
  if ('name' in plan) return civil(plan.name, calendar);
  return fixed(offsetName(plan.offset), plan.offset * MINUTE);
}

/** Formats an offset: `+05:30` for 330 minutes. */
export function offsetName(minutes: number): string {
  const two = (part: number) => String(Math.trunc(part)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** Parses an offset such as `+05:30`, `-0330`, `UTC+2` or `GMT-05:00`. @returns minutes east of UTC; undefined for another text */
export function offsetOf(text: string): number | undefined {
  const match = /^(?:UTC|GMT)?\s*([+-])(\d\d?)(?::?(\d\d))?$/i.exec(text.trim());
  if (match === null) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return match[1] === '-' ? -minutes : minutes;
}

function fixed(name: string, offset: number): LocalZone {
  return { name, instantsOf: (local) => [local - offset] };
}

function civil(name: string, calendar: LocalTimes): LocalZone {
  const of = (local: number) => calendar.instantsOf(new Date(local).toISOString().slice(0, 19), name);
  /** The offset from UTC in each hour of local time; NaN if the offset changes in the hour. */
  const offsets = new Map<number, number>();
  const offsetIn = (hour: number): number => {
    const known = offsets.get(hour);
    if (known !== undefined) return known;
    const [first, last] = [hour * HOUR, (hour + 1) * HOUR - 1000];
    const [start, end] = [of(first), of(last)];
    const isSame = start.length === 1 && end.length === 1 && first - (start[0] ?? 0) === last - (end[0] ?? 0);
    const offset = isSame ? first - (start[0] as number) : Number.NaN;
    if (offsets.size >= MAX_HOURS) offsets.clear();
    offsets.set(hour, offset);
    return offset;
  };
  return {
    name,
    instantsOf: (local) => {
      const offset = offsetIn(Math.floor(local / HOUR));
      if (!Number.isNaN(offset)) return [local - offset];
      const milliseconds = local - Math.floor(local / 1000) * 1000;
      return of(local).map((time) => time + milliseconds);
    },
  };
}

/**
 * Returns a zone that converts a date to the end of that day. The date is given as the local midnight at its start. Example:
 * `2024-02-28T00:00` becomes the instant of the next midnight, which is `2024-02-29T00:00` in local time.
 *
 * If clocks skip the next midnight, the day ends when the clocks are changed. If the next midnight occurs twice, the day ends at
 * the first of the two.
 */
export function dayEnds(zone: LocalZone): LocalZone {
  const { day } = MILLISECONDS;
  return {
    name: zone.name,
    instantsOf: (local) => {
      // A day without noon does not exist: a zone near the date line may have skipped a whole day.
      if (zone.instantsOf(local + day / 2).length === 0) return [];
      const [midnight] = zone.instantsOf(local + day);
      if (midnight !== undefined) return [midnight];
      const before = zone.instantsOf(local + day - HOUR).at(-1);
      return before === undefined ? [] : [before + HOUR];
    },
  };
}

/** The standard time of a zone, used all year. Its offset in each year is the smaller one of the offsets in January and July. */
function standard(name: string, calendar: LocalTimes): LocalZone {
  const offsets = new Map<number, number>();
  const offsetIn = (year: number): number => {
    const known = offsets.get(year);
    if (known !== undefined) return known;
    const offsetsOfYear = ['01', '07'].map((month) => {
      const noon = `${String(year).padStart(4, '0')}-${month}-15T12:00:00`;
      const [instant] = parseLocalTime(noon) === undefined ? [] : calendar.instantsOf(noon, name);
      return Date.parse(`${noon}Z`) - (instant ?? Number.NaN);
    });
    const offset = Math.min(...offsetsOfYear);
    offsets.set(year, offset);
    return offset;
  };
  return {
    name: `standard time of ${name}`,
    instantsOf: (local) => {
      const time = local - offsetIn(new Date(local).getUTCFullYear());
      return Number.isNaN(time) ? [] : [time];
    },
  };
}
