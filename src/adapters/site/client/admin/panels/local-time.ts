import { MILLISECONDS } from '#domain/time.js';
import { localTime } from '../../charts/model/zone.js';

/** Local time minus UTC, in ms. @param time in ms since 1970 */
function offsetAt(time: number, zone: string): number {
  const { date, hour, minute } = localTime(time, zone);
  return (
    Date.parse(`${date}T00:00:00Z`) +
    (hour * 60 + minute) * MILLISECONDS.minute -
    Math.floor(time / MILLISECONDS.minute) * MILLISECONDS.minute
  );
}

/**
 * Converts a local time of a station, as a field of the form has it (`2013-07-18T12:00` or `2013-07-18T12:00:30`), to an instant of
 * the API. A local time that a change of the clock skips becomes an instant after the change.
 */
export function instantOf(local: string, zone: string): string {
  const asUtc = Date.parse(`${local}Z`);
  const first = asUtc - offsetAt(asUtc, zone);
  return new Date(asUtc - offsetAt(first, zone)).toISOString();
}

/** Converts an instant of the API to a local time of a station for a field of a form. */
export function localOf(instant: string, zone: string): string {
  const time = Date.parse(instant);
  return new Date(time + offsetAt(time, zone)).toISOString().slice(0, 19);
}
