import { isOffset } from '../../time.js';

const MAX_ZONES = 1000;

/** Names of zones and whether they exist. Asking takes up to a millisecond. */
const zones = new Map<string, boolean>();

/** Whether a station may have this time zone: an IANA name that this version of Node.js knows, or an offset. */
export function isZone(name: string): boolean {
  if (isOffset(name)) return true;
  const known = zones.get(name);
  if (known !== undefined) return known;
  let isKnown = false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // Some versions of Node.js accept more offsets than a station may have.
    isKnown = /^[A-Za-z]/.test(timeZone);
  } catch {
    // There is no such zone.
  }
  if (zones.size >= MAX_ZONES) zones.clear();
  zones.set(name, isKnown);
  return isKnown;
}
