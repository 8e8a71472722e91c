import { MILLISECONDS } from '#domain/time.js';

/**
 * Seconds of a `Retry-After`, which is a number of seconds or a date (RFC 9110, section 10.2.3).
 *
 * @param now milliseconds since 1970-01-01T00:00:00Z
 * @returns undefined if there is none, or it is neither
 */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const time = /^[A-Z][a-z]{2,8},? /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - now) / MILLISECONDS.second));
}
