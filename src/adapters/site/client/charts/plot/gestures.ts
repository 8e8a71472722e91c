import type uPlot from 'uplot';
import type { ShownRange } from '../model/span.js';

/** Minimum length of a movement in pixels. Shorter movements are ignored as accidental. */
const MIN_DISTANCE = 8;

/**
 * Moves the range of the chart when the visitor drags with a finger, or with the mouse and Shift. Dragging with the mouse alone
 * selects a range.
 *
 * @returns a function that removes the listeners
 */
export function addDragGestures(
  plot: uPlot,
  { from, to }: ShownRange,
  onRange: (range: ShownRange) => void,
): () => void {
  let begin: { readonly x: number; readonly pointer: number } | undefined;
  const { over } = plot;
  const down = (event: PointerEvent) => {
    if (event.pointerType !== 'touch' && !event.shiftKey) return;
    begin = { x: event.clientX, pointer: event.pointerId };
    over.setPointerCapture(event.pointerId);
  };
  const up = (event: PointerEvent) => {
    if (begin?.pointer !== event.pointerId) return;
    const distance = event.clientX - begin.x;
    begin = undefined;
    if (Math.abs(distance) < MIN_DISTANCE) return;
    const shift = (-distance * (to - from)) / over.clientWidth;
    onRange({ from: from + shift, to: to + shift });
  };
  const cancel = () => {
    begin = undefined;
  };
  /** Prevents uPlot from selecting a range at the same time. */
  const hold = (event: MouseEvent) => {
    if (event.shiftKey) event.stopImmediatePropagation();
  };
  over.addEventListener('pointerdown', down);
  over.addEventListener('pointerup', up);
  over.addEventListener('pointercancel', cancel);
  over.addEventListener('mousedown', hold, true);
  return () => {
    over.removeEventListener('pointerdown', down);
    over.removeEventListener('pointerup', up);
    over.removeEventListener('pointercancel', cancel);
    over.removeEventListener('mousedown', hold, true);
  };
}
