import { MILLISECONDS } from '../time.js';

/** Milliseconds by which the time of a row may be later than the clock of the service. */
export const MAX_AHEAD = 10 * MILLISECONDS.minute;
/** The earliest time that a row may have. */
export const EARLIEST = Date.UTC(1600, 0, 1);

/** Why a time outside of these limits is refused, to be written behind it. @param now milliseconds since 1970-01-01T00:00:00Z */
export function rowTimeFault(time: number, now: number): string {
  if (Number.isNaN(time)) return 'is not a time';
  return time > now ? 'lies in the future' : 'lies before 1600';
}
