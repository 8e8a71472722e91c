import { MILLISECONDS } from '#domain/time.js';
import type { ShownRange } from './span.js';

/** Arithmetic of the strip of the whole record: its window is moved, or one of its ends. */

export type BrushPart = 'from' | 'to' | 'window';

/** Shortest window in ms that can be chosen on the strip. */
const SHORTEST = MILLISECONDS.day;

/**
 * The window after one of its parts was moved. The window stays within the record, and never becomes shorter than a day; if the
 * whole window is moved, it keeps its length.
 *
 * @param distance in ms
 */
export function moveBrush(
  { from, to }: ShownRange,
  part: BrushPart,
  distance: number,
  record: ShownRange,
): ShownRange {
  if (part === 'from')
    return { from: clamp(from + distance, record.from, Math.max(record.from, to - SHORTEST)), to };
  if (part === 'to')
    return { from, to: clamp(to + distance, Math.min(record.to, from + SHORTEST), record.to) };
  const length = Math.min(to - from, record.to - record.from);
  const start = clamp(from + distance, record.from, record.to - length);
  return { from: start, to: start + length };
}

/** The window with the same length around a time. */
export function centerBrush(window: ShownRange, time: number, record: ShownRange): ShownRange {
  return moveBrush(window, 'window', time - (window.from + window.to) / 2, record);
}

/** Distance in ms that a key moves a part; undefined for other keys. */
export function brushStep(
  key: string,
  part: BrushPart,
  { from, to }: ShownRange,
  record: ShownRange,
): number | undefined {
  const step = to - from > 30 * MILLISECONDS.day ? 7 * MILLISECONDS.day : MILLISECONDS.day;
  const page = Math.max(to - from, step);
  const [position, first, last] = {
    from: [from, record.from, to],
    to: [to, from, record.to],
    window: [from, record.from, record.to - (to - from)],
  }[part] as [number, number, number];
  const distances: Readonly<Record<string, number>> = {
    ArrowLeft: -step,
    ArrowDown: -step,
    ArrowRight: step,
    ArrowUp: step,
    PageDown: -page,
    PageUp: page,
    Home: first - position,
    End: last - position,
  };
  return distances[key];
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
