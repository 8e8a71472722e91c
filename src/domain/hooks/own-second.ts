import { MILLISECONDS } from '../time.js';

/**
 * The next time at which a station sends, if each station has a second of its own in every interval. The second follows from a text,
 * so that it stays the same after a restart.
 *
 * @param text for example the account of the station at the service
 * @param interval in milliseconds
 * @param after in milliseconds since 1970-01-01T00:00:00Z
 * @returns the first such time after `after`
 */
export function nextOwnTime(text: string, interval: number, after: number): number {
  const seconds = Math.floor(interval / MILLISECONDS.second);
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  const own = (hash % seconds) * MILLISECONDS.second;
  return own + Math.floor((after - own) / interval + 1) * interval;
}
