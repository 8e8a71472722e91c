import { MILLISECONDS } from '#domain/time.js';

/**
 * Prepares a text that a sender may have chosen for display on a terminal. Characters that control a device or the direction of
 * text are replaced, and a long text is cut.
 */
export function clip(text: string, width: number): string {
  const shown = text.replaceAll(/\p{C}/gu, '\uFFFD');
  return shown.length > width ? `${shown.slice(0, width - 1)}…` : shown;
}

/** Formats a time: `2026-11-22T11:14:03Z`, or `-`. */
export function timeCell(time: number | null): string {
  return time === null ? '-' : `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Formats a duration: `16 s`, `5 min`, `2 h`, or `-`. @param seconds may be negative */
export function durationCell(seconds: number | null): string {
  if (seconds === null) return '-';
  const minute = MILLISECONDS.minute / 1000;
  const hour = MILLISECONDS.hour / 1000;
  const size = Math.abs(seconds);
  if (size < 2 * minute) return `${Math.round(seconds)} s`;
  return size < 2 * hour ? `${Math.round(seconds / minute)} min` : `${Math.round(seconds / hour)} h`;
}
