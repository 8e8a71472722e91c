import { isOffset } from '../../time.js';

const MAX_ZONES = 1000;

/** Caches whether a zone exists, by its name, because `Intl` needs up to a millisecond to find it. */
const zones = new Map<string, boolean>();

/** Whether a station may have this time zone: an IANA name that this version of Node.js knows, or an offset from UTC. */
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
    // The zone does not exist.
  }
  if (zones.size >= MAX_ZONES) zones.clear();
  zones.set(name, isKnown);
  return isKnown;
}
