import { quoted } from '#domain/quoted.js';
import { parseInstant, timeFault } from '#domain/time.js';

/** The time in milliseconds since 1970-01-01T00:00:00Z; NaN for a value that is not a text or not an instant. */
export function parseTime(value: unknown): number {
  return typeof value === 'string' ? parseInstant(value) : Number.NaN;
}

/** The reason why a value is not accepted as a time. */
export function timeReason(value: unknown): string {
  if (typeof value === 'string') return `${quoted(value)} ${timeFault(value)}`;
  return 'is not a time such as 2024-02-29T12:00:00Z or seconds since 1970-01-01T00:00:00Z';
}
