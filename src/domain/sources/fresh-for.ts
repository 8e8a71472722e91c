import { MILLISECONDS } from '../time.js';

/** The longest freshness that is believed. A server with a wrong setting must not end the reports for weeks. */
const LONGEST = MILLISECONDS.day;

/**
 * For how long a reply stays valid (RFC 9111, section 4.2.1): `max-age` of `Cache-Control`, otherwise `Expires`, less its `Age`.
 *
 * @param headers by name in lower case
 * @param now milliseconds since 1970-01-01T00:00:00Z
 * @returns milliseconds, at most a day; 0 if the reply does not say so
 */
export function freshFor(headers: Readonly<Record<string, string>>, now: number): number {
  const { 'cache-control': control = '', expires = '', date = '', age = '' } = headers;
  if (/\bno-(?:store|cache)\b/i.test(control)) return 0;
  const maxAge = /\bmax-age=(\d{1,9})\b/i.exec(control)?.[1];
  const sent = Date.parse(date);
  const lifetime =
    maxAge === undefined
      ? Date.parse(expires) - (Number.isNaN(sent) ? now : sent)
      : Number(maxAge) * MILLISECONDS.second;
  const left = lifetime - (/^\d{1,9}$/.test(age) ? Number(age) * MILLISECONDS.second : 0);
  return left > 0 ? Math.min(left, LONGEST) : 0;
}
