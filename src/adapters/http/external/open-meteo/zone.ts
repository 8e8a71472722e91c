import { MILLISECONDS } from '#domain/time.js';
import { quoted } from '#domain/quoted.js';
import { invalid } from './parameters.js';

/**
 * The time zone of a reply. A reply has one offset, that of the present, because its columns have regular times: the change of the clocks
 * is ignored, and a day has 24 hours.
 */
export interface ReplyZone {
  readonly name: string;
  readonly abbreviation: string;
  /** Seconds east of UTC. */
  readonly offset: number;
  /** Whether the zone is GMT, which FlatBuffers do not name. */
  readonly isGmt: boolean;
}

/** @param name as in the request @param now milliseconds since 1970-01-01T00:00:00Z */
export function replyZone(name: string, ofStation: string, now: number): ReplyZone {
  const timeZone = name === 'auto' ? ofStation : name;
  if (/^(?:gmt|utc)$/i.test(timeZone)) return { name: 'GMT', abbreviation: 'GMT', offset: 0, isGmt: true };
  const part = (timeZoneName: 'longOffset' | 'short') => {
    try {
      const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName });
      return format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    } catch {
      throw invalid(`Invalid timezone. Given: ${quoted(timeZone)}.`);
    }
  };
  const [, sign = '+', hours = '0', minutes = '0'] =
    /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(part('longOffset')) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
  return { name: timeZone, abbreviation: part('short'), offset, isGmt: false };
}

/**
 * Milliseconds from UTC to the clock by which days begin and hours are counted: the offset without its half hour, because forecasts are for
 * whole hours of UTC. In a zone with a half hour, the times of a reply have this half hour: a day begins at 00:30, east and west of UTC.
 */
export const clockOffset = ({ offset }: ReplyZone): number => Math.floor(offset / 3600) * MILLISECONDS.hour;

/** The offset of `clockOffset` as a time zone: `+05:00`. */
export function clockZone(zone: ReplyZone): string {
  const hours = clockOffset(zone) / MILLISECONDS.hour;
  return `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
}
