import type { UploadTime } from '#domain/uploads/upload.js';
import { epochOf } from '#domain/time.js';

/** Date and time, with or without leading zeros, and with optional blanks after colons: `2016-1-4 21:2:35`, `10: 36: 28`. */
const DATE_TIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ +T]|%20)+(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d+)?)?Z?$/i;

/**
 * Reads a time in UTC.
 *
 * @returns milliseconds since 1970-01-01T00:00:00Z; undefined for `now` and for other texts that are not a time
 */
export function sentTime(text: string | undefined): number | undefined {
  const match = DATE_TIME.exec((text ?? '').trim().replace(/:\s+/g, ':'));
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map((field) => Number(field ?? 0));
  const time = { year, month, day, hour, minute, second, millisecond: 0 } as Parameters<typeof epochOf>[0];
  const epoch = epochOf(time);
  return Number.isNaN(epoch) ? undefined : epoch;
}

/**
 * Returns the time of an upload, and whether its values are current (`isLive`). An upload without a time always has current
 * values.
 *
 * @param isLive whether the sender never sends old values
 */
export function uploadTime(text: string | undefined, isLive: boolean): UploadTime {
  const sent = sentTime(text);
  return { sent, isLive: isLive || sent === undefined };
}
