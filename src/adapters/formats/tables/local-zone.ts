import { MILLISECONDS, parseLocalTime } from '#domain/time.js';
import type { ZonePlan } from '../files/file-plan.js';

/** The part of a calendar that times of files need. */
export interface LocalTimes {
  /** The instants of a local time (`2013-01-01T00:00:00`): none, one or two, in rising order. */
  instantsOf(local: string, timeZone: string): readonly number[];
}

/** Turns local times into instants. */
export interface LocalZone {
  /** For messages: `Europe/Oslo`, `UTC`, `+01:00`. */
  readonly name: string;
  /**
   * The instants of a local time, in milliseconds since 1970-01-01T00:00:00Z and in rising order: none where clocks skip it,
   * two where they are set back over it.
   *
   * @param local the local time taken as UTC, in the same milliseconds
   */
  instantsOf(local: number): readonly number[];
}

/** Hours whose offset is kept. */
const MAX_HOURS = 100_000;
const { hour: HOUR, minute: MINUTE } = MILLISECONDS;

/** @param stationZone the zone of the station, as `Station.timeZone` */
export function localZone(plan: ZonePlan, stationZone: string, calendar: LocalTimes): LocalZone {
  if (plan === 'utc') return fixed('UTC', 0);
  if (plan === 'station') return civil(stationZone, calendar);
  if (plan === 'station-standard') return standard(stationZone, calendar);
  if ('name' in plan) return civil(plan.name, calendar);
  return fixed(offsetName(plan.offset), plan.offset * MINUTE);
}

/** `+05:30` for 330 minutes. */
export function offsetName(minutes: number): string {
  const two = (part: number) => String(Math.trunc(part)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** Minutes east of UTC of `+05:30`, `-0330`, `UTC+2` or `GMT-05:00`; undefined for another text. */
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
  /** The offset of an hour of local time; NaN where it has no single one. */
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
 * The end of days of a zone: the instants of a local midnight, or of a date, are those of the midnight that follows. Where clocks skip
 * that midnight the day ends when they do; where it comes twice, it ends at the first.
 */
export function dayEnds(zone: LocalZone): LocalZone {
  const { day } = MILLISECONDS;
  return {
    name: zone.name,
    instantsOf: (local) => {
      // A zone may have left out a whole day, at the date line.
      if (zone.instantsOf(local + day / 2).length === 0) return [];
      const [midnight] = zone.instantsOf(local + day);
      if (midnight !== undefined) return [midnight];
      const before = zone.instantsOf(local + day - HOUR).at(-1);
      return before === undefined ? [] : [before + HOUR];
    },
  };
}

/** The standard time of a zone all year: in each year the lesser of the offsets in January and in July. */
function standard(name: string, calendar: LocalTimes): LocalZone {
  const offsets = new Map<number, number>();
  const offsetIn = (year: number): number => {
    const known = offsets.get(year);
    if (known !== undefined) return known;
    const found = ['01', '07'].map((month) => {
      const noon = `${String(year).padStart(4, '0')}-${month}-15T12:00:00`;
      const [instant] = parseLocalTime(noon) === undefined ? [] : calendar.instantsOf(noon, name);
      return Date.parse(`${noon}Z`) - (instant ?? Number.NaN);
    });
    const offset = Math.min(...found);
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
